// Kernel: a compute shader of the application's own, recorded like a primitive of the library.
/// @ingroup runtime
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"
#include "vkprims/spirv.hpp"

namespace vkprims {

/// A compute shader with push constants and without descriptor sets, whose entry point is main.
/// vkprims_add_kernel() (docs/own_kernels.md) makes one from GLSL when the application is built. It
/// must live as long as every Device that has recorded it.
struct Kernel {
  const char* name = "";         ///< for messages
  const Spirv* spirv = nullptr;  ///< the module
  std::uint32_t push_bytes = 0;  ///< of its push constants, 0 … 128, a multiple of 4
  /// Invocations of a workgroup. The first number is also specialization constant 0: a power of two
  /// where the shader takes its size from there.
  std::uint32_t workgroup_size[3] = {128, 1, 1};
  /// Bit i: values[i] is specialization constant i, 1 … 16. Others keep the shader's own values.
  std::uint32_t constants = 0;
  std::uint32_t values[17] = {};  ///< of specialization constants
  bool has_int64 = false;         ///< whether Features::int64 is needed
  bool has_float64 = false;       ///< whether Features::float64 is needed
};

/// 8 bytes of push constants: a device address, or a number of 64 bits. In GLSL it is a uvec2, a
/// uint64_t, a VkpU64 or a buffer reference.
struct PushedU64 {
  std::uint32_t words[2] = {};  ///< the low word first

  /// 0.
  constexpr PushedU64() = default;
  /// An address or a number.
  constexpr PushedU64(std::uint64_t value)  // NOLINT: a number is one
      : words{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)} {}
  /// The address of a view.
  constexpr PushedU64(const BufferView& view)  // NOLINT: a view has an address
      : PushedU64(view.address) {}
  /// The address of a buffer.
  template <class B>
  requires requires(const B& b) { BufferView(b.view()); }
  PushedU64(const B& buffer) : PushedU64(buffer.view()) {}  // NOLINT: a buffer has an address
};

/// The bytes of push constants.
struct PushConstants {
  std::uint32_t words[32] = {};  ///< the bytes
  std::uint32_t bytes = 0;       ///< how many are used, a multiple of 4

  /// None.
  constexpr PushConstants() = default;
  /// The bytes of a struct, of which there are at most 128.
  template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T> &&
                                              !std::is_same_v<T, PushConstants>>>
  PushConstants(const T& push) : bytes(sizeof(T)) {  // NOLINT: a struct is its bytes
    static_assert(sizeof(T) <= 128 && sizeof(T) % 4 == 0,
                  "vkprims: push constants must be a multiple of 4 and at most 128 bytes");
    std::memcpy(words, &push, sizeof(T));
  }
};

/// Numbers of workgroups.
struct Workgroups {
  std::uint64_t x = 1;         ///< in all, or along the first axis if y is given
  std::uint32_t y = 0, z = 0;  ///< along the others; 0: not given

  /// So many workgroups. Those past 65,535 are folded into y, so that kernels that may have so many
  /// number their workgroups by vkp_group_index() and test for surplus ones.
  constexpr Workgroups(std::uint64_t number = 1) : x(number) {}  // NOLINT: a number is one
  /// A grid of this shape, with at most 65,535 workgroups along each axis.
  constexpr Workgroups(std::uint32_t along_x, std::uint32_t along_y, std::uint32_t along_z = 1)
      : x(along_y && along_z ? along_x : 0), y(along_y), z(along_z) {}
};

/// Describes a dispatch to record_kernel().
struct KernelDesc {
  const Kernel* own = nullptr;  ///< the kernel
  Workgroups groups = {};       ///< workgroups of the dispatch
  /// Where a VkDispatchIndirectCommand is read instead, such as dispatch_args() writes; a buffer of
  /// null: groups is used.
  Scratch groups_at = {};
  BufferView reads[16] = {};   ///< what the kernel reads, for tools that look for hazards only
  BufferView writes[16] = {};  ///< what it writes, or reads and writes
};

/// Records one dispatch of a kernel of your own.
///
/// desc.groups     each axis at most 65,535, or one number below 65,535 * 65,535; 0: nothing is
///                 recorded
/// desc.groups_at  12 bytes at a multiple of 4, in a buffer with INDIRECT_BUFFER usage
/// push            own->push_bytes
/// Before, After   what the kernel itself asks for: COMPUTE_SHADER, and for groups_at DRAW_INDIRECT
///                 / INDIRECT_COMMAND_READ
/// Errors          no kernel, one whose workgroups or features the device lacks, size of push, too
///                 many groups
Status record_kernel(VkCommandBuffer cmd, const Device& device, const KernelDesc& desc,
                     const PushConstants& push);

/// Compiles the pipeline of desc.own, whatever the rest of `desc` is.
Status warm_up(const Device& device, const KernelDesc& desc);

/// Records the dispatch as a step of `recorder`.
template <std::same_as<Recorder> R>
void kernel(R& recorder, const KernelDesc& desc, const PushConstants& push) {
  Status status;
  recorder.commands(
      [&](VkCommandBuffer cmd) { status = record_kernel(cmd, recorder.device(), desc, push); });
  if (!status) recorder.step({}, [&](VkCommandBuffer, const Scratch&) { return status; });
}

}  // namespace vkprims

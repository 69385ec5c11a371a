// Recording of one primitive's commands: bind + push + dispatch, fills, and the barriers between.
#pragma once

#include <initializer_list>
#include <span>

#include "runtime/commands.hpp"
#include "runtime/device_state.hpp"
#include "runtime/dispatch_args/dispatch_args.abi.h"

namespace vkprims {

inline Access reads(const Count& count) {
  return reads(count.address, count.address ? (count.width == CountWidth::u64 ? 8 : 4) : 0);
}
inline Access reads(const Value& value, VkDeviceSize bytes) {
  return reads(value.address, value.address ? bytes : 0);
}

/// While a Rehearsal exists, nothing that this thread records reaches a command buffer. A primitive
/// that records others rehearses first, so that a wrong argument or a missing pipeline shows before
/// the first command.
class Rehearsal {
 public:
  Rehearsal();
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  static bool is_on();

 private:
  bool before_;
};

/// How many workgroups a dispatch has. Numbers past 65,535 are folded into y: kernels number their
/// workgroups by vkp_group_index() and test for surplus ones.
///
/// If the count is read on the GPU and the largest grid is big, a first command computes the real
/// grid into 16 bytes of scratch, so that a small count does not pay for the largest.
struct OldGrid {
  std::uint64_t groups = 0;                   // for the largest count
  VkPipeline args_pipeline = VK_NULL_HANDLE;  // null: direct
  abi::DispatchArgsPush args{};
  Scratch scratch;
  Count count;
  bool computed = false;  // an earlier command has computed the size, for several dispatches
};

/// The grid for `count` items; `scratch` starts with the grid's bytes if it is indirect.
Status make_grid(DeviceState& state, const Count& count, std::uint64_t items_per_group,
                 const Scratch& scratch, bool may_compile, OldGrid& grid);

/// Commands of one record call. Between any two a global barrier makes what the first wrote visible
/// to reads and writes of the second. The commands lie in a debug label: that of the call if it has
/// none yet ("vkprims select"), otherwise one of the part of the call that they are, or of the
/// primitive that the call uses.
class CommandStream {
 public:
  CommandStream(DeviceState& state, VkCommandBuffer cmd, const char* part = nullptr);
  ~CommandStream();
  CommandStream(const CommandStream&) = delete;

  /// Computes the size of an indirect grid and does nothing for others. dispatch() calls it if that
  /// has not been done.
  void prepare(const OldGrid& grid);
  template <class Push>
  void dispatch(VkPipeline pipeline, const Push& push, const OldGrid& grid,
                std::span<const Access> accesses, const Independent* independent = nullptr) {
    static_assert(sizeof(Push) % 4 == 0 && sizeof(Push) <= 128);
    dispatch_bytes(pipeline, &push, sizeof(Push), grid, accesses, independent);
  }
  template <class Push>
  void dispatch(VkPipeline pipeline, const Push& push, const OldGrid& grid,
                std::initializer_list<Access> accesses, const Independent* independent = nullptr) {
    dispatch(pipeline, push, grid, std::span(accesses.begin(), accesses.size()), independent);
  }
  /// Sets bytes (a multiple of 4) of scratch to a repeated word. A single word, and up to 4 KiB of
  /// zeros, are written by vkCmdUpdateBuffer: it is 3 us faster than vkCmdFillBuffer on the compute
  /// queue of an H200, which is fast from 4 KiB on only.
  void fill(const Scratch& scratch, VkDeviceSize offset, VkDeviceSize bytes, std::uint32_t word,
            const Independent* independent = nullptr);
  /// Sets bytes of scratch (multiples of 4, at most 64 KiB) to bytes of the host, by
  /// vkCmdUpdateBuffer.
  void write(const Scratch& scratch, VkDeviceSize offset, const void* data, VkDeviceSize bytes,
             const Independent* independent = nullptr);

 private:
  void dispatch_bytes(VkPipeline pipeline, const void* push, std::uint32_t push_bytes,
                      const OldGrid& grid, std::span<const Access> accesses,
                      const Independent* independent);
  void begin_command(VkPipelineStageFlags stages, VkAccessFlags accesses,
                     const Independent* independent);
  void observe(std::span<const Access> accesses);
  void observe(const Access& access) { observe(std::span(&access, 1)); }
  void bind(VkPipeline pipeline, const void* push, std::uint32_t push_bytes);
  void begin_label(const char* part);

  DeviceState& state_;
  VkCommandBuffer cmd_;
  const bool rehearses_ = Rehearsal::is_on() || state_.pipelines.only_notes();
  bool has_label_ = false;
  bool is_outermost_ = false;                // whether its label is that of the call
  bool prepared_ = false;                    // whether the grid of the next dispatch is computed
  VkPipelineStageFlags pending_stages_ = 0;  // of commands since the label began
  VkAccessFlags pending_writes_ = 0;
};

}  // namespace vkprims

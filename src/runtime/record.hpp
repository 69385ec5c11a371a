// Recording of one primitive's commands: bind + push + dispatch, fills, and the barriers between.
#pragma once

#include <initializer_list>
#include <span>

#include "runtime/device_state.hpp"
#include "runtime/dispatch_args/dispatch_args.abi.h"

namespace vkprims {

inline Access reads(VkDeviceAddress address, VkDeviceSize bytes) {
  return {{address, bytes}, false};
}
inline Access writes(VkDeviceAddress address, VkDeviceSize bytes) {
  return {{address, bytes}, true};
}
inline Access reads(const Count& count) {
  return reads(count.address, count.address ? (count.width == CountWidth::u64 ? 8 : 4) : 0);
}
inline Access reads(const Value& value, VkDeviceSize bytes) {
  return reads(value.address, value.address ? bytes : 0);
}

/// While there is one, nothing that this thread records reaches a command buffer. A primitive that records others tries
/// that first: an argument that is wrong or a pipeline that is missing shows before the first command.
class Rehearsal {
 public:
  Rehearsal();
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  static bool is_on();

 private:
  bool before_;
};

/// Leaves out the barrier before a command. The reason is for the reader.
struct Independent {
  const char* reason;
};

/// How many workgroups a dispatch has. Folded into y past 65,535: kernels number their workgroups
/// by vkp_group_index() and test for surplus ones.
///
/// Where the count is read on the GPU and the largest grid is big, a first command computes the
/// real one into 16 bytes of scratch, so that a small count does not pay for the largest.
struct Grid {
  std::uint64_t groups = 0;                   // for the largest count
  VkPipeline args_pipeline = VK_NULL_HANDLE;  // null: direct
  abi::DispatchArgsPush args{};
  Scratch scratch;
  Count count;
  bool computed = false;  // by an earlier command, for a grid of several dispatches
};

inline constexpr VkDeviceSize kGridScratchBytes = 16;

/// Whether a grid over `count` needs kGridScratchBytes.
bool grid_is_indirect(const Count& count, std::uint64_t items_per_group);

/// The grid for `count` items; `scratch` starts with the grid's bytes if it is indirect.
Status make_grid(DeviceState& state, const Count& count, std::uint64_t items_per_group,
                 const Scratch& scratch, bool may_compile, Grid& grid);

/// Commands of one record call. Between any two a global barrier makes what the first wrote visible to reads and writes of
/// the second. They lie in a debug label: that of the call where it has none yet ("vkprims select"), else one of the part of
/// it that they are, or of the primitive that it uses.
class CommandStream {
 public:
  CommandStream(DeviceState& state, VkCommandBuffer cmd, const char* part = nullptr);
  ~CommandStream();
  CommandStream(const CommandStream&) = delete;

  /// Computes the size of an indirect grid; nothing for others. dispatch() does it if this has not.
  void prepare(const Grid& grid);
  template <class Push>
  void dispatch(VkPipeline pipeline, const Push& push, const Grid& grid,
                std::span<const Access> accesses, const Independent* independent = nullptr) {
    static_assert(sizeof(Push) % 4 == 0 && sizeof(Push) <= 128);
    dispatch_bytes(pipeline, &push, sizeof(Push), grid, accesses, independent);
  }
  template <class Push>
  void dispatch(VkPipeline pipeline, const Push& push, const Grid& grid,
                std::initializer_list<Access> accesses, const Independent* independent = nullptr) {
    dispatch(pipeline, push, grid, std::span(accesses.begin(), accesses.size()), independent);
  }
  /// Sets bytes (a multiple of 4) of scratch to a repeated word. A single word, and up to 4 KiB of
  /// zeros, go by vkCmdUpdateBuffer: 3 us faster than vkCmdFillBuffer on the compute queue of an
  /// H200, which is fast from 4 KiB on only.
  void fill(const Scratch& scratch, VkDeviceSize offset, VkDeviceSize bytes, std::uint32_t word,
            const Independent* independent = nullptr);
  /// Sets bytes of scratch (multiples of 4, at most 64 KiB) to those of the host, by vkCmdUpdateBuffer.
  void write(const Scratch& scratch, VkDeviceSize offset, const void* data, VkDeviceSize bytes,
             const Independent* independent = nullptr);

 private:
  void dispatch_bytes(VkPipeline pipeline, const void* push, std::uint32_t push_bytes,
                      const Grid& grid, std::span<const Access> accesses,
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
  bool is_outermost_ = false;                // its label is that of the call
  bool prepared_ = false;                    // the grid of the next dispatch
  VkPipelineStageFlags pending_stages_ = 0;  // of commands since the label began
  VkAccessFlags pending_writes_ = 0;
};

}  // namespace vkprims

// Dispatch arguments: turns counts on the GPU into VkDispatchIndirectCommands.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes the dispatches to record_dispatch_args() and warm_up().
struct DispatchArgsDesc {
  Count count = {};                   ///< items, 0 … kMaxCount; of the first of several dispatches
  std::uint64_t items_per_group = 1;  ///< 1 … kMaxCount
  std::uint32_t commands = 1;         ///< dispatches, each with a count and arguments of its own
};

/// Memory for record_dispatch_args(), whose comment tells sizes, alignments and what may overlap.
struct DispatchArgsBuffers {
  BufferView args;  ///< receives a VkDispatchIndirectCommand for each dispatch
};

/// args = {x, y, 1} with x * y >= ceil(count / items_per_group), for vkCmdDispatchIndirect, and for
/// vkCmdDrawMeshTasksIndirectEXT, whose arguments look the same.
///
/// For several dispatches counts lie one behind the other, of CountWidth each, and so do arguments:
/// those of dispatch i are at 12 * i bytes. A count on the host is that of all.
///
/// Groups are numbered gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x. y is 1 for up to
/// 65,535 groups and grows with their number. Up to y - 1 surplus groups start, so kernels must
/// check the number of their group. A count of 0 gives {0, 1, 1}.
///
/// args      12 * commands bytes, address multiple of 4, in a buffer that also has INDIRECT_BUFFER
///           usage; must not overlap the counts
/// Before    args: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. count: last writer ->
///           COMPUTE_SHADER / SHADER_READ
/// After     args: COMPUTE_SHADER / SHADER_WRITE -> DRAW_INDIRECT / INDIRECT_COMMAND_READ
/// Errors    count above the limit, items_per_group 0 or such that more than 65,535² groups result,
///           view too small or unaligned
/// Results   exact
Status record_dispatch_args(VkCommandBuffer cmd, const Device& device, const DispatchArgsDesc& desc,
                            const DispatchArgsBuffers& buffers);

/// Compiles the pipelines that record_dispatch_args() uses.
Status warm_up(const Device& device, const DispatchArgsDesc& desc);

/// Writes the arguments as a step of `recorder`, for a dispatch in commands() after it. args holds
/// a VkDispatchIndirectCommand or 3 words for each dispatch. The count must be given; for one on
/// the GPU use count_in(buffer) and set its max.
template <std::same_as<Recorder> R, class Args>
void dispatch_args(R& recorder, const DispatchArgsDesc& desc, const Args& args) {
  using T = overloads::ElementOf<Args>;
  static_assert(
      std::is_same_v<T, VkDispatchIndirectCommand> || overloads::kIsU32<Args>,
      "vkprims: dispatch_args: args must be a VkDispatchIndirectCommand or std::uint32_t");
  recorder.step({}, [&](VkCommandBuffer cmd, const Scratch&) {
    return record_dispatch_args(cmd, recorder.device(), desc, {args.view()});
  });
}

}  // namespace vkprims

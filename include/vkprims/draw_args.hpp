// Draw arguments: turns counts on the GPU into the arguments of indirect draws.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// What draw arguments are for.
enum class DrawCommand : std::uint32_t {
  draw,          ///< vkCmdDrawIndirect: a VkDrawIndirectCommand
  draw_indexed,  ///< vkCmdDrawIndexedIndirect: a VkDrawIndexedIndirectCommand
  draw_count,    ///< the count buffer of vkCmdDrawIndirectCount and its like: one u32
};

/// The number of a draw that follows from a count; the other one is fixed.
enum class DrawNumber : std::uint32_t {
  instances,  ///< an item is drawn as one or several instances
  vertices,   ///< an item has one or several vertices or indices
};

/// Describes the draws to record_draw_args() and warm_up().
struct DrawArgsDesc {
  DrawCommand command = DrawCommand::draw;    ///< what the arguments are for
  DrawNumber number = DrawNumber::instances;  ///< what follows from the count
  Count count = {};                           ///< items; of the first of several draws
  std::uint32_t per_item = 1;                 ///< instances or vertices that an item has
  std::uint32_t other_number = 1;    ///< vertices, if instances follow from the count, or instances
  std::uint32_t first_vertex = 0;    ///< the first vertex, or the first index
  std::int32_t vertex_offset = 0;    ///< of draw_indexed
  std::uint32_t first_instance = 0;  ///< the first instance
  std::uint32_t commands = 1;        ///< draws, each with a count and arguments of its own
};

/// Memory for record_draw_args(), whose comment tells sizes, alignments and what may overlap.
struct DrawArgsBuffers {
  BufferView args;  ///< receives the arguments
};

/// args = the arguments of a draw with count * per_item instances, or vertices or indices, so that
/// what a primitive has selected or expanded is drawn without the host knowing how much it is. With
/// DrawCommand::draw_count it is count * per_item, and what draws have is not used.
///
/// For several draws counts lie one behind the other, of CountWidth each, and so do arguments,
/// without gaps, as vkCmdDrawIndirect and vkCmdDrawIndirectCount take them. A count on the host is
/// that of all. Arguments of mesh tasks are written by record_dispatch_args().
///
/// args      16 bytes for each draw, 20 if it is indexed, 4 with draw_count; address multiple of 4,
///           in a buffer that also has INDIRECT_BUFFER usage; must not overlap the counts
/// Before    args: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. count: last writer ->
///           COMPUTE_SHADER / SHADER_READ
/// After     args: COMPUTE_SHADER / SHADER_WRITE -> DRAW_INDIRECT / INDIRECT_COMMAND_READ
/// Errors    command, number, count.max * per_item above 2^32 - 1, view too small, unaligned or
///           overlapping
/// Results   exact
Status record_draw_args(VkCommandBuffer cmd, const Device& device, const DrawArgsDesc& desc,
                        const DrawArgsBuffers& buffers);

/// Compiles the pipeline that record_draw_args() uses.
Status warm_up(const Device& device, const DrawArgsDesc& desc);

/// Writes the arguments as a step of `recorder`, for a draw in commands() after it. args holds a
/// VkDrawIndirectCommand or a VkDrawIndexedIndirectCommand, which decides on desc.command, or
/// words. The count must be given; for one on the GPU use count_in(buffer) and set its max.
template <std::same_as<Recorder> R, class Args>
void draw_args(R& recorder, DrawArgsDesc desc, const Args& args) {
  using T = overloads::ElementOf<Args>;
  constexpr bool indexed = std::is_same_v<T, VkDrawIndexedIndirectCommand>;
  static_assert(indexed || std::is_same_v<T, VkDrawIndirectCommand> || overloads::kIsU32<Args>,
                "vkprims: draw_args: args must be a VkDrawIndirectCommand, a "
                "VkDrawIndexedIndirectCommand or std::uint32_t");
  if constexpr (!overloads::kIsU32<Args>) {
    desc.command = indexed ? DrawCommand::draw_indexed : DrawCommand::draw;
  }
  recorder.step({}, [&](VkCommandBuffer cmd, const Scratch&) {
    return record_draw_args(cmd, recorder.device(), desc, {args.view()});
  });
}

}  // namespace vkprims

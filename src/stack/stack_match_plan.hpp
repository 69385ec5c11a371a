// How stack_match cuts a sequence into tiles, and its commands, for those that build on these.
#pragma once

#include "runtime/commands.hpp"
#include "stack/stack_match/stack_match.abi.h"
#include "vkprims/stack_match.hpp"

namespace vkprims {

struct StackPlan {
  std::uint32_t workgroup_size;  // of tiles.comp: blocks of a tile
  std::uint64_t tile_items;      // at least: there may be items before and behind the symbols
  std::uint64_t max_tiles;
  std::uint32_t level_words;
  ScratchNeed need;  // 0 bytes if there are no symbols

  std::uint64_t groups() const;  // of tiles
};

/// The plan for sequences of up to `max_count` symbols; tiles have at most `max_blocks` blocks.
StackPlan stack_plan(const DeviceState& state, std::uint64_t max_count, std::uint32_t max_blocks);

/// The constants of tree.comp and groups.comp, which place tiles; they want nothing.
Specialization stack_tree_constants(const DeviceState& state, const StackPlan& plan);

/// The constants of finish.comp, which finds the indices that lie in other tiles.
Specialization stack_finish_constants(const DeviceState& state, const StackPlan& plan,
                                      IndexWidth index_width, std::uint32_t wanted);

/// Whether the rows of an output begin at multiples of 16 bytes.
bool stack_rows_are_aligned(VkDeviceAddress out, std::uint32_t head, IndexWidth index_width);

/// Refuses a second plane for symbols that are not in planes.
Status check_closes(const char* primitive, StackInput input, const BufferView& closes);

/// A number of symbols, and their second plane, which only StackInput::bits has.
Operand operand_of_symbols(StackInput input, std::uint64_t count, const BufferView& symbols);
Operand operand_of_closes(StackInput input, std::uint64_t count, const BufferView& closes);

/// An output of an index for each symbol, and that of a StackHeader; neither need be wanted.
Operand operand_of_stack_indices(const char* name, const BufferView& indices, std::uint64_t count,
                                 IndexWidth index_width);
Operand operand_of_stack_header(const BufferView& header);

/// The number of items that do not exist: the symbols between the last multiple of 16 bytes and the
/// first symbol.
std::uint32_t stack_head(StackInput input, VkDeviceAddress symbols);
/// The address of the first item: that multiple, or the first word of bits.
VkDeviceAddress stack_first_cell(StackInput input, VkDeviceAddress symbols);

/// What a match needs, whose descriptor is right.
ScratchNeed stack_match_need(const DeviceState& state, const StackMatchDesc& desc);

/// Adds the commands of a match whose descriptor and buffers have been checked.
Status add_stack_match(Commands& commands, const StackMatchDesc& desc,
                       const StackMatchBuffers& buffers);

/// Adds what a descriptor may need at any alignment and count for outputs VKP_STACK_WANTS_….
Status warm_up_stack_match(Commands& commands, const StackMatchDesc& desc, std::uint32_t wanted);

}  // namespace vkprims

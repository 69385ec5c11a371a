// How stack_match cuts a sequence into tiles, for those that build on its first dispatches.
#pragma once

#include "runtime/device_state.hpp"
#include "stack/stack_match/stack_match.abi.h"
#include "vkprims/stack_match.hpp"

namespace vkprims {

struct StackShape {
  std::uint32_t workgroup_size;  // of tiles.comp: blocks of a tile
  std::uint64_t tile_items;      // at least: there may be items before and behind the symbols
  std::uint64_t max_tiles;
  std::uint32_t level_words;
  ScratchNeed need;  // 0 bytes if there are no symbols

  std::uint64_t groups() const;  // of tiles
};

/// The shape for sequences of up to `max_count` symbols; tiles have at most `max_blocks` blocks.
StackShape stack_shape(const DeviceState& state, std::uint64_t max_count, std::uint32_t max_blocks);

/// Refuses a second plane for symbols that are not in planes.
Status check_closes(const char* primitive, StackInput input, const BufferView& closes);

/// The bytes that a number of symbols takes.
VkDeviceSize stack_symbol_bytes(StackInput input, std::uint64_t count);

/// The number of items that do not exist: the symbols between the last multiple of 16 bytes and the
/// first symbol.
std::uint32_t stack_head(StackInput input, VkDeviceAddress symbols);

}  // namespace vkprims

// Long rows as numbers of their blocks: the host side of shaders/strings/interned/.
#pragma once

#include "runtime/commands.hpp"
#include "strings/interned/interned.abi.h"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Bytes of scratch for the blocks of a column of `chars_bytes` bytes; 0 if no row is long. No row
/// is longer than `longest_row_bytes`; 0: not known.
VkDeviceSize interned_bytes(std::uint64_t chars_bytes, std::uint64_t longest_row_bytes);

/// The blocks of one column in scratch.
struct InternedBlocks {
  StringColumnView in;
  Scratch scratch;
  VkDeviceSize offset;  // where interned_bytes() begin in scratch, a multiple of 16
  /// Of the marks of rows, just before `offset`; 0: the blocks of all long rows are wanted.
  VkDeviceSize mark_bytes = 0;
  std::uint32_t seed = 0;

  VkDeviceAddress address() const { return scratch.address + offset; }
  /// What kernels write before the blocks are made: the header and the marks.
  Access notes() const;
  /// All writes: the marks and the blocks.
  Access all() const;
};

/// Must come first: afterwards nothing is known yet.
Status clear_interned(Commands& commands, const InternedBlocks& blocks,
                      const Independent* independent = nullptr);
/// Must come once long rows are noted and maybe marked: finds the numbers of their blocks.
Status add_interning(Commands& commands, const InternedBlocks& blocks);

}  // namespace vkprims::strings

// Long rows as numbers of their blocks: the host side of shaders/strings/interned/.
#pragma once

#include "runtime/record.hpp"
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
  VkDeviceSize mark_bytes =
      0;  // of the marks of rows, just before `offset`; 0: all long rows' blocks are wanted
  std::uint32_t seed = 0;

  VkDeviceAddress address() const { return scratch.address + offset; }
  /// What kernels write before the blocks are made: the header and the marks.
  Access notes() const;
  /// All writes: the marks and the blocks.
  Access all() const;
};

Status get_intern_pipeline(DeviceState& state, bool may_compile, VkPipeline& pipeline);

/// Must come first: afterwards nothing is known yet.
void clear_interned(CommandStream& stream, const InternedBlocks& blocks);
/// Must come once long rows are noted and maybe marked: finds the numbers of their blocks.
void intern_blocks(CommandStream& stream, const DeviceState& state, VkPipeline pipeline,
                   const InternedBlocks& blocks);

}  // namespace vkprims::strings

// Long rows as numbers of their blocks: the host side of shaders/strings/interned/.
#pragma once

#include "runtime/record.hpp"
#include "strings/interned/interned.abi.h"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Bytes of scratch for the blocks of a column of so many bytes; 0 if no row is long. `longest_row_bytes`: what no row
/// is longer than, 0: not known.
VkDeviceSize interned_bytes(std::uint64_t chars_bytes, std::uint64_t longest_row_bytes);

/// The blocks of one column in scratch.
struct InternedBlocks {
  StringColumnView in;
  Scratch scratch;
  VkDeviceSize offset;  // of interned_bytes() there, a multiple of 16,
  VkDeviceSize mark_bytes =
      0;  // behind the marks of rows; 0: the blocks of all long rows are wanted
  std::uint32_t seed = 0;

  VkDeviceAddress address() const { return scratch.address + offset; }
  /// What kernels before the blocks are made write: the header and the marks.
  Access notes() const;
  /// All.
  Access all() const;
};

Status get_intern_pipeline(DeviceState& state, bool may_compile, VkPipeline& pipeline);

/// First of all: nothing is known yet.
void clear_interned(CommandStream& stream, const InternedBlocks& blocks);
/// Once long rows are noted and maybe marked: the numbers of their blocks.
void intern_blocks(CommandStream& stream, const DeviceState& state, VkPipeline pipeline,
                   const InternedBlocks& blocks);

}  // namespace vkprims::strings

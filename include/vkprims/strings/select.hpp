// Select (filter, apply a boolean mask): the rows of a column of strings that a mask chooses, in order.
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

struct SelectStringsDesc {
  std::uint64_t longest_row_bytes = 0;  ///< what no row of in is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct SelectStringsBuffers {
  StringColumnView in;
  BitsView mask;  ///< of as many rows; null counts as 0
  StringColumnOut out;
  BufferView selected_count;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out = the rows of in whose bit of the mask is set, in the same order (stable).
///
/// out has as many rows as in: those behind the selected ones are null and have no bytes, so that the next operation can
/// take it as it is. To go on with fewer, read selected_count on the host and take StringColumnView::slice(0, n) of it
///
/// selected_count   8 bytes, address multiple of 8: how many rows are selected, as u64 (its low word is a u32 count)
/// in, mask, out, report, barriers, errors, determinism: see vkprims/strings/column.hpp. selected_count as out
/// scratch          select_scratch(): 4 bytes for each row, 128 for each tile, and what column.hpp says
/// Source           compaction of the numbers of rows (vkprims/select.hpp), then a gather with their count
Status record_select(VkCommandBuffer cmd, const Device& device, const SelectStringsDesc& desc,
                     const SelectStringsBuffers& buffers);

/// Scratch that record_select() needs for so many rows.
ScratchNeed select_scratch(const Device& device, const SelectStringsDesc& desc, std::uint64_t rows);

/// Compiles what record_select() uses for `desc`.
Status warm_up(const Device& device, const SelectStringsDesc& desc);

}  // namespace vkprims::strings

// Select (filter, apply a boolean mask): the rows of a column of strings that a mask chooses, in
// order.
/// @ingroup strings
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Describes a selection to record_select(), select_scratch() and warm_up().
struct SelectStringsDesc {
  std::uint64_t longest_row_bytes = 0;      ///< no row of in has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_select().
struct SelectStringsBuffers {
  StringColumnView in;        ///< the rows to choose from
  BitsView mask;              ///< has as many rows as in; a null bit counts as 0
  StringColumnOut out;        ///< the chosen rows
  BufferView selected_count;  ///< one u64
  BufferView report = {};     ///< address 0: not wanted
  Scratch scratch = {};       ///< select_scratch() bytes
};

/// out = the rows of in whose bit of the mask is set, in the same order (stable).
///
/// out has as many rows as in. Those behind the selected ones are null and have no bytes, so that
/// the next operation can take out as it is. To continue with the selected rows only, read
/// selected_count on the host and take StringColumnView::slice(0, n) of out.
///
/// vkprims/strings/column.hpp describes in, mask, out, report, barriers, errors and determinism.
/// The barriers of selected_count are those of out.
///
/// selected_count  8 bytes, address multiple of 8: the number of selected rows, as u64; its low
///                 word can be read as a u32 count
/// scratch         select_scratch(): 4 bytes for each row, 128 for each tile, and the scratch that
///                 column.hpp describes
/// Source          a selection of row numbers (vkprims/select.hpp), then a gather with their count
Status record_select(VkCommandBuffer cmd, const Device& device, const SelectStringsDesc& desc,
                     const SelectStringsBuffers& buffers);

/// Scratch that record_select() needs for `rows` rows.
ScratchNeed select_scratch(const Device& device, const SelectStringsDesc& desc, std::uint64_t rows);

/// Compiles the pipelines that record_select() uses for `desc`.
Status warm_up(const Device& device, const SelectStringsDesc& desc);

}  // namespace vkprims::strings

// Strings of one column or another, as a mask says.
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = mask[i] ? a[i] : b[i]; a null bit of the mask counts as 0. Null where the row that is chosen is null.
struct CopyIfElseDesc {
  /// Where a (or b) is no column but one text for all rows, which is copied during the call.
  bool a_is_scalar = false, b_is_scalar = false;
  std::string_view a_text = {}, b_text = {};
  std::uint32_t row_bytes =
      0;  ///< a hint, see vkprims/strings/column.hpp: of the side with longer rows
  std::uint64_t longest_row_bytes = 0;  ///< what no row of a column is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct CopyIfElseBuffers {
  StringColumnView a = {}, b = {};
  BitsView mask;
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// Rows are those of the mask.
///
/// a, b, mask, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. out.chars: at most
/// the bytes of a and of b, or as many times those of a text as there are rows
Status record_copy_if_else(VkCommandBuffer cmd, const Device& device, const CopyIfElseDesc& desc,
                           const CopyIfElseBuffers& buffers);

/// Scratch that record_copy_if_else() needs for so many rows.
ScratchNeed copy_if_else_scratch(const Device& device, const CopyIfElseDesc& desc,
                                 std::uint64_t rows);

/// Compiles what record_copy_if_else() uses for `desc`.
Status warm_up(const Device& device, const CopyIfElseDesc& desc);

}  // namespace vkprims::strings

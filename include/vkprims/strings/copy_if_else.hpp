// Copy if else: each row comes from one of two columns, as a mask says.
/// @ingroup strings
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = mask[i] ? a[i] : b[i]; a null bit of the mask counts as 0. out[i] is null where the
/// chosen row is null.
struct CopyIfElseDesc {
  /// Whether a (or b) is a single text for all rows instead of a column. The texts are copied
  /// during the call.
  bool a_is_scalar = false, b_is_scalar = false;
  std::string_view a_text = {}, b_text = {};  ///< the texts, for a_is_scalar and b_is_scalar
  std::uint32_t row_bytes = 0;  ///< hint for the side with longer rows, see strings/column.hpp
  std::uint64_t longest_row_bytes = 0;      ///< no row of a column has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_copy_if_else().
struct CopyIfElseBuffers {
  StringColumnView a = {}, b = {};  ///< the two columns; unused where there is a text
  BitsView mask;                    ///< a bit for each row: from a or from b
  StringColumnOut out;              ///< a row for each row of the mask
  BufferView report = {};           ///< address 0: not wanted
  Scratch scratch = {};             ///< copy_if_else_scratch() bytes
};

/// out[i] = a[i] or b[i], for each row of the mask.
///
/// vkprims/strings/column.hpp describes a, b, mask, out, report, scratch, barriers, errors and
/// determinism. out.chars needs at most the bytes of a plus those of b, where a text counts once
/// for each row.
Status record_copy_if_else(VkCommandBuffer cmd, const Device& device, const CopyIfElseDesc& desc,
                           const CopyIfElseBuffers& buffers);

/// Scratch that record_copy_if_else() needs for `rows` rows.
ScratchNeed copy_if_else_scratch(const Device& device, const CopyIfElseDesc& desc,
                                 std::uint64_t rows);

/// Compiles the pipelines that record_copy_if_else() uses for `desc`.
Status warm_up(const Device& device, const CopyIfElseDesc& desc);

}  // namespace vkprims::strings

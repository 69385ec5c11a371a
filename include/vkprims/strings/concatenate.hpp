// Concatenate: joins the rows of several columns to the rows of one.
/// @ingroup strings
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// What happens to the separator beside a null row that has been replaced.
enum class SeparatorOnNulls : std::uint32_t {
  yes,  ///< the separator is written all the same
  no,   ///< it is written only before rows that are not null, except before the first of these
};

/// out[i] = columns[0][i] + separator + columns[1][i] + …; null where one of these rows is null,
/// unless there is a null_replacement. The texts are copied during the call.
struct ConcatenateDesc {
  std::string_view separator = {};  ///< the text between two columns
  /// The text that a null row is replaced by; not given: results are null.
  std::optional<std::string_view> null_replacement = {};
  /// Whether a replaced row has separators.
  SeparatorOnNulls separator_on_nulls = SeparatorOnNulls::yes;
  std::uint32_t row_bytes = 0;              ///< hint for rows of the result, see strings/column.hpp
  std::uint64_t longest_row_bytes = 0;      ///< no row of a column has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_concatenate().
struct ConcatenateBuffers {
  std::span<const StringColumnView> columns;  ///< at least one, all of the same number of rows
  StringColumnOut out;                        ///< a row for each row of the columns
  BufferView report = {};                     ///< address 0: not wanted
  Scratch scratch = {};                       ///< concatenate_scratch() bytes
};

/// out[i] = row i of all columns, one behind the other.
///
/// vkprims/strings/column.hpp describes columns, out, report, scratch, barriers, errors and
/// determinism. If no row is null, out.chars needs exactly the bytes of all columns and of the
/// separators. Further errors are: no columns, and more than 256 columns (512 where workgroups have
/// 256 invocations).
Status record_concatenate(VkCommandBuffer cmd, const Device& device, const ConcatenateDesc& desc,
                          const ConcatenateBuffers& buffers);

/// Scratch that record_concatenate() needs for `columns` columns of `rows` rows.
ScratchNeed concatenate_scratch(const Device& device, const ConcatenateDesc& desc,
                                std::uint64_t columns, std::uint64_t rows);

/// Compiles the pipelines that record_concatenate() uses for `desc`.
Status warm_up(const Device& device, const ConcatenateDesc& desc);

}  // namespace vkprims::strings

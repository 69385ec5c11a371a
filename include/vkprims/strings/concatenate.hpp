// Rows of several columns behind each other.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// What happens to the separator beside a null row that is replaced.
enum class SeparatorOnNulls : std::uint32_t {
  yes,  ///< it is there all the same
  no,   ///< only before rows that are not null, behind the first of these
};

/// out[i] = columns[0][i] + separator + columns[1][i] + …; null where one of these is null, unless there is a
/// replacement. The texts are copied during the call.
struct ConcatenateDesc {
  std::string_view separator = {};
  std::optional<std::string_view> null_replacement = {};
  SeparatorOnNulls separator_on_nulls = SeparatorOnNulls::yes;
  std::uint32_t row_bytes = 0;          ///< a hint, see vkprims/strings/column.hpp: of the result
  std::uint64_t longest_row_bytes = 0;  ///< what no row of a column is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct ConcatenateBuffers {
  std::span<const StringColumnView> columns;  ///< at least one, all of the same number of rows
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// Rows of all columns, one behind the other.
///
/// columns, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. out.chars: exactly the
/// bytes of all columns and of the separators, where no row is null. Errors, besides: no columns, more than 256 (512
/// where workgroups have 256 invocations)
Status record_concatenate(VkCommandBuffer cmd, const Device& device, const ConcatenateDesc& desc,
                          const ConcatenateBuffers& buffers);

/// Scratch that record_concatenate() needs for so many columns and rows.
ScratchNeed concatenate_scratch(const Device& device, const ConcatenateDesc& desc,
                                std::uint64_t columns, std::uint64_t rows);

/// Compiles what record_concatenate() uses for `desc`.
Status warm_up(const Device& device, const ConcatenateDesc& desc);

}  // namespace vkprims::strings

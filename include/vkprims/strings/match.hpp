// Whether strings contain, begin with or end with a text.
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

enum class Match : std::uint32_t { contains, starts_with, ends_with };

/// Bit i: whether in[i] contains, begins or ends with a text: the same for all rows, or row i of a column. An empty text
/// is in every row; of a null target nothing is true. Null where in[i] is null.
struct MatchDesc {
  Match match = Match::contains;
  bool of_column = false;               ///< targets are a column
  std::string_view text = {};           ///< otherwise; copied during the call
  std::uint64_t longest_row_bytes = 0;  ///< what no row of in is longer than; 0: not known
};

struct MatchBuffers {
  StringColumnView in;
  StringColumnView targets = {};
  BufferView out;            ///< (rows + 31) / 32 words of 4 bytes; address multiple of 4
  BufferView validity = {};  ///< likewise; address 0: not wanted
  Scratch scratch = {};
};

/// Bit i of out: the answer for row i; bits behind the last row are 0, and so is that of a null row.
///
/// in, targets, longest_row_bytes, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp
Status record_match(VkCommandBuffer cmd, const Device& device, const MatchDesc& desc,
                    const MatchBuffers& buffers);

/// Scratch that record_match() needs, for a column of so many bytes in chars.
ScratchNeed match_scratch(const Device& device, const MatchDesc& desc, std::uint64_t chars_bytes);

/// Compiles what record_match() uses for `desc`.
Status warm_up(const Device& device, const MatchDesc& desc);

}  // namespace vkprims::strings

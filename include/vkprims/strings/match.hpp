// Match: whether strings contain, begin with or end with a text.
/// @ingroup strings
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Where in a row the text must be.
enum class Match : std::uint32_t {
  contains,     ///< anywhere
  starts_with,  ///< at the beginning
  ends_with     ///< at the end
};

/// Bit i tells whether in[i] contains, begins or ends with a text, which is the same for all rows
/// or row i of another column. An empty text matches every row, and a null target matches none. The
/// bit is null where in[i] is null.
struct MatchDesc {
  Match match = Match::contains;        ///< where the text must be
  bool of_column = false;               ///< the texts are the rows of MatchBuffers::targets
  std::string_view text = {};           ///< the text for all rows otherwise; copied during the call
  std::uint64_t longest_row_bytes = 0;  ///< no row of in has more bytes; 0: not known
};

/// Memory for record_match().
struct MatchBuffers {
  StringColumnView in;            ///< the rows
  StringColumnView targets = {};  ///< with MatchDesc::of_column: a text for each row
  BufferView out;                 ///< (rows + 31) / 32 words of 4 bytes; address multiple of 4
  BufferView validity = {};       ///< of the same size; address 0: not wanted
  Scratch scratch = {};           ///< match_scratch() bytes
};

/// Bit i of out = the answer for row i. Bits behind the last row and bits of null rows are 0.
///
/// vkprims/strings/column.hpp describes in, targets, longest_row_bytes, scratch, barriers, errors
/// and determinism.
Status record_match(VkCommandBuffer cmd, const Device& device, const MatchDesc& desc,
                    const MatchBuffers& buffers);

/// Scratch that record_match() needs for a column with `chars_bytes` bytes in chars.
ScratchNeed match_scratch(const Device& device, const MatchDesc& desc, std::uint64_t chars_bytes);

/// Compiles the pipelines that record_match() uses for `desc`.
Status warm_up(const Device& device, const MatchDesc& desc);

}  // namespace vkprims::strings

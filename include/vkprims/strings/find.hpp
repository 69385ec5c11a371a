// Numbers of strings: where a text is in a row, how often, and how long the row is.
/// @ingroup strings
#pragma once

#include <optional>
#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// What is found or counted in each row.
enum class StringNumber : std::uint32_t {
  find,              ///< the first character at which the text begins; -1: nowhere
  rfind,             ///< the last such character; -1: nowhere
  count_characters,  ///< number of characters
  count_bytes,       ///< number of bytes
  /// Number of occurrences of the text that do not overlap. For an empty text it is 0, whereas
  /// Python's "abc".count("") is the number of characters plus one.
  count,
  /// Number of tokens that record_split() finds with the text as delimiter; an empty text means
  /// whitespace.
  count_tokens,
};

/// out[i], i32: a number of in[i]; 0 where that is null.
struct FindDesc {
  StringNumber number = StringNumber::find;  ///< which number
  /// The text of all numbers except lengths; copied during the call. find and rfind find an empty
  /// text at the beginning and at the end of the range.
  std::string_view text = {};
  /// For find and rfind: only characters start … stop - 1 are searched; both are less than 2^31.
  /// stop not given: up to the end.
  std::uint32_t start = 0;
  std::optional<std::uint32_t> stop = {};  ///< the character behind the last one that is searched
  std::uint64_t longest_row_bytes = 0;     ///< no row has more bytes; 0: not known
};

/// Memory for record_find().
struct FindBuffers {
  StringColumnView in;       ///< the rows
  BufferView out;            ///< rows i32; address multiple of 4
  BufferView validity = {};  ///< (rows + 31) / 32 words; address 0: not wanted
  Scratch scratch = {};      ///< find_scratch() bytes
};

/// out[i], i32: a number of in[i]; 0 where that is null.
///
/// vkprims/strings/column.hpp describes in, longest_row_bytes, scratch, barriers, errors and
/// determinism. Further errors are: start above stop, start or stop of 2^31 or more.
Status record_find(VkCommandBuffer cmd, const Device& device, const FindDesc& desc,
                   const FindBuffers& buffers);

/// Scratch that record_find() needs for a column with `chars_bytes` bytes in chars.
ScratchNeed find_scratch(const Device& device, const FindDesc& desc, std::uint64_t chars_bytes);

/// Compiles the pipelines that record_find() uses for `desc`.
Status warm_up(const Device& device, const FindDesc& desc);

}  // namespace vkprims::strings

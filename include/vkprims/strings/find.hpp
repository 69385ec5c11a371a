// Where a text is in strings, how often, and how long strings are.
#pragma once

#include <optional>
#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

enum class StringNumber : std::uint32_t {
  find,              ///< the first character where a text begins, -1: nowhere
  rfind,             ///< the last one
  count_characters,  ///< how many there are
  count_bytes,
  /// how often a text is there, each time behind the last one. An empty text is counted nowhere: 0, where Python's
  /// "abc".count("") is one more than there are characters
  count,
  /// how many tokens it has for record_split(), with the text as delimiter: of an empty text by whitespace
  count_tokens,
};

/// out[i], i32: a number of in[i]; 0 where that is null.
struct FindDesc {
  StringNumber number = StringNumber::find;
  std::string_view text =
      {};  ///< of all but lengths; copied during the call. An empty one is found by find and rfind at either end
  /// Of find and rfind: characters before are not looked at; less than 2^31
  std::uint32_t start = 0;
  std::optional<std::uint32_t> stop = {};  ///< … nor from this one on; less than 2^31
  std::uint64_t longest_row_bytes = 0;     ///< what no row is longer than; 0: not known
};

struct FindBuffers {
  StringColumnView in;
  BufferView out;            ///< rows i32; address multiple of 4
  BufferView validity = {};  ///< (rows + 31) / 32 words; address 0: not wanted
  Scratch scratch = {};
};

/// out[i], i32: a number of in[i]; 0 where that is null.
///
/// in, longest_row_bytes, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. Errors, besides: start
/// above stop, or either of 2^31 or more
Status record_find(VkCommandBuffer cmd, const Device& device, const FindDesc& desc,
                   const FindBuffers& buffers);

/// Scratch that record_find() needs, for a column of so many bytes in chars.
ScratchNeed find_scratch(const Device& device, const FindDesc& desc, std::uint64_t chars_bytes);

/// Compiles what record_find() uses for `desc`.
Status warm_up(const Device& device, const FindDesc& desc);

}  // namespace vkprims::strings

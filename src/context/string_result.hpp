// Columns of strings that operations of a Recorder write, and what is known about the rows of those
// that they read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vkprims/strings.hpp"

namespace vkprims::strings {

// A column of strings that is to be written. `bytes_of_row` is approximate; 0: what the bytes say.
struct Result {
  Result(Recorder& r, std::uint64_t rows, std::uint64_t bytes, bool nullable,
         std::uint32_t bytes_of_row = 0)
      : byte_bound(bytes),
        row_bytes(bytes_of_row),
        wide(bytes > kMaxStringBytes),
        chars(r.allocate<std::uint8_t>(bytes)) {
    if (wide) {
      offsets64 = r.allocate<std::uint64_t>(rows + 1);
    } else {
      offsets32 = r.allocate<std::uint32_t>(rows + 1);
    }
    if (nullable && rows) validity = r.allocate<std::uint32_t>((rows + 31) / 32);
  }
  StringColumnOut out() const {
    return {.offsets = wide ? offsets64.view() : offsets32.view(),
            .chars = chars.view(),
            .validity = validity.size() ? validity.view() : BufferView{},
            .offset_width = wide ? IndexWidth::u64 : IndexWidth::u32};
  }
  StringColumn column() && {
    StringColumn result =
        wide
            ? StringColumn(std::move(offsets64), std::move(chars), std::move(validity), byte_bound)
            : StringColumn(std::move(offsets32), std::move(chars), std::move(validity), byte_bound);
    result.set_row_bytes(row_bytes);
    result.set_longest_row_bytes(longest_row_bytes);
    return result;
  }

  std::uint64_t byte_bound;
  std::uint64_t longest_row_bytes = 0;  // no row is longer than this; 0: not known
  std::uint32_t row_bytes;
  bool wide;
  Buffer<std::uint32_t> offsets32;
  Buffer<std::uint64_t> offsets64;
  Buffer<std::uint8_t> chars;
  Buffer<std::uint32_t> validity;
};

// A length that no row of the columns exceeds, as the columns know it, or else as the caller has
// promised; 0: not known. Null pointers stand for no column.
inline std::uint64_t longest_row_of(const std::vector<const StringColumn*>& columns,
                                    std::uint64_t promised = 0) {
  std::uint64_t longest = 0;
  for (const StringColumn* column : columns) {
    if (!column) continue;
    if (column->longest_row_bytes() == 0) return promised;
    longest = std::max(longest, column->longest_row_bytes());
  }
  return longest ? longest : promised;
}

}  // namespace vkprims::strings

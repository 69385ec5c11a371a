// String columns as Arrow lays them out, in device memory: offsets, UTF-8 bytes and, if wanted, validity bits.
#pragma once

#include "vkprims/types.hpp"

namespace vkprims {

/// Rows that a string column may have, and bytes that one row may have.
inline constexpr std::uint64_t kMaxStringRows = (std::uint64_t{1} << 31) - 1;
inline constexpr std::uint64_t kMaxStringBytes = (std::uint64_t{1} << 31) - 1;

/// A column of strings that somebody else owns; row i is chars[offsets[i] … offsets[i + 1]).
///
/// Nothing is assumed of the data: rows whose offsets do not ascend or point past chars are cut to what is there, and
/// bytes need not be UTF-8.
struct StringColumnView {
  BufferView offsets =
      {};  ///< rows + 1 u32 or u64 (int32 or int64 of Arrow); address multiple of their size
  BufferView chars = {};  ///< bytes; any address. Offsets count from here
  BufferView validity =
      {};  ///< bits, the lowest first, 1: not null; address multiple of 4. Address 0: no row is null
  std::uint64_t rows = 0;       ///< 0 … kMaxStringRows
  std::uint32_t first_bit = 0;  ///< number of the bit of row 0 in validity, 0 … 31
  IndexWidth offset_width = IndexWidth::u32;

  /// Rows first … first + n - 1; nothing is copied.
  StringColumnView slice(std::uint64_t first, std::uint64_t n) const;
};

/// Bits of rows: validity, or what a predicate says.
struct BitsView {
  BufferView bits = {};      ///< the lowest first; address multiple of 4
  BufferView validity = {};  ///< address 0: no row is null
  std::uint64_t rows = 0;
  std::uint32_t first_bit = 0;  ///< number of row 0's bit, 0 … 31, in both
};

/// Where a column of strings goes. Null rows have no bytes.
struct StringColumnOut {
  BufferView offsets = {};  ///< room for rows + 1 offsets; address multiple of their size
  BufferView chars =
      {};  ///< room for chars.bytes bytes: nothing is written past it; any address
  BufferView validity =
      {};  ///< room for (rows + 31) / 32 words of 4 bytes; address multiple of 4. Address 0: not wanted
  IndexWidth offset_width = IndexWidth::u32;  ///< u32: chars.bytes up to 2^31 - 1 are used
};

/// Bytes of the words that hold `rows` bits from bit `first_bit` on.
constexpr VkDeviceSize bit_bytes(std::uint64_t rows, std::uint32_t first_bit = 0) {
  return (rows + first_bit + 31) / 32 * 4;
}

inline StringColumnView StringColumnView::slice(std::uint64_t first, std::uint64_t n) const {
  StringColumnView part = *this;
  const std::uint64_t bit = first_bit + first;
  part.offsets = {offsets.address + first * size_of(offset_width), (n + 1) * size_of(offset_width)};
  part.rows = n;
  part.first_bit = static_cast<std::uint32_t>(bit % 32);
  if (validity.address) {
    part.validity = {validity.address + bit / 32 * 4, bit_bytes(n, part.first_bit)};
  }
  return part;
}

}  // namespace vkprims

// String columns as Arrow lays them out, in device memory: offsets, UTF-8 bytes and, if wanted, validity bits.
//
// What all operations of vkprims/strings/*.hpp have in common:
//
// Rows        are known on the host. 0 rows make one offset, which is 0
// Characters  begin at every byte that is not 10xxxxxx, and at the beginning of a row: of UTF-8 its code points. Other
//             bytes are neither refused nor changed
// Whitespace  is any byte up to 0x20, as in libcudf: space, tab, line breaks and all other control characters. Python's and
//             pandas' strip() and split() have the White_Space of Unicode instead: to them U+0085, U+00A0, U+1680, U+2000 …
//             U+200A, U+2028, U+2029, U+202F, U+205F and U+3000 are whitespace, too, which are text here, and control characters
//             but 0x09 … 0x0D and 0x1C … 0x1F are text. record_strip() takes these as a set: kUnicodeWhiteSpace
// Texts       (scalars) are copied while the call records: all of a call together up to 64 KiB less a few hundred bytes
// Results     are columns whose rows lie one behind the other from byte 0 on. If there is not room for all bytes, none is
//             written past it; offsets and validity are right all the same, and report, a DeviceReport at an address
//             multiple of 8, says capacity_exceeded, count: bytes without room, needed: all bytes
// row_bytes   of some operations is a hint: how many bytes a row has on average, about, rather too many than too few. Up to 16
//             another kernel is used, for which most rows are short. 0: what chars.bytes says, which may be far above where a
//             column has room to spare. Results are the same whatever it is
// Long rows   of 4 KiB and more are cut into units, which many workgroups share. longest_row_bytes, where an operation has it, is
//             a promise: where it says that no row is long, or chars.bytes does, some ten microseconds of dispatches for such rows
//             are saved. Of a longer row than promised the result is right, but one invocation makes it. So it does where rows
//             overlap, which Arrow forbids, if they have more than twice the bytes of chars together
// Aliasing    outputs overlap nothing
// Scratch     foo_scratch(): arguments and texts; where results are strings a byte for each row, about, and 16 KiB; and where rows
//             may be long, of operations that ask for the bytes in chars, 16 bytes for each KiB of these (24 to count or split
//             by a text that overlaps itself)
// Before      columns, bits, indices, count: last writer -> COMPUTE_SHADER / SHADER_READ. Outputs, report: all earlier
//             users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
//             TRANSFER / SHADER_READ | SHADER_WRITE | TRANSFER_WRITE
// After       outputs, report: COMPUTE_SHADER / SHADER_WRITE -> your reader. The others: free after COMPUTE_SHADER
// Errors      rows above kMaxStringRows, columns of different numbers of rows, enumerations out of range, texts too long,
//             views missing, too small, unaligned or overlapping, scratch
// Determinism results are the same on every device
// Source      D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016), for sizes,
//             offsets and bytes in one dispatch; with Schedule::multi_pass in two
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
  BufferView chars = {};    ///< room for chars.bytes bytes: nothing is written past it; any address
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

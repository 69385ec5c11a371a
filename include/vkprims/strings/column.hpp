// String columns: views of strings in device memory, laid out as in Arrow, with offsets, UTF-8
// bytes and optional validity bits.
//
// All operations of vkprims/strings/*.hpp have the following in common.
//
// Rows         Their number is known on the host. A column of 0 rows has one offset, which is 0
// Characters   A character begins at every byte that is not 10xxxxxx, and at the beginning of a
//              row. In UTF-8 these are the code points. Bytes that are not UTF-8 are neither
//              refused nor changed
// Whitespace   Whitespace is any byte up to 0x20, as in libcudf: space, tab, line breaks and all
//              other control characters. strip() and split() of Python and pandas use Unicode's
//              White_Space instead: for them U+0085, U+00A0, U+1680, U+2000 … U+200A, U+2028,
//              U+2029, U+202F, U+205F and U+3000 are whitespace too, which are text here, and
//              control characters except 0x09 … 0x0D and 0x1C … 0x1F are text. record_strip()
//              accepts Unicode's set as kUnicodeWhiteSpace
// Texts        Texts (scalars) are copied while the call records. All texts of a call together may
//              have 64 KiB less a few hundred bytes
// Results      The rows of a result lie one behind the other from byte 0 on. If there is not room
//              for all bytes, none is written past the room. Offsets and validity are still right,
//              and report, a DeviceReport at an address that is a multiple of 8, gets code
//              capacity_exceeded, count = the bytes without room, and needed = all bytes
// row_bytes    Some operations take this hint: about how many bytes a row has on average, rather
//              too many than too few. Values up to 16 select a kernel that expects most rows to be
//              short. 0 means that the average follows from chars.bytes, which may be far too much
//              if the column has room to spare. Results do not depend on the hint
// Long rows    Rows of 4 KiB and more are cut into units, which many workgroups share.
//              longest_row_bytes, where an operation has it, is a promise: if it or chars.bytes
//              says that no row is long, the dispatches for such rows are saved, which take some
//              ten microseconds. If a row is longer than promised, the result is still right, but a
//              single invocation makes that row. The same happens if rows overlap, which Arrow
//              forbids, and together have more than twice the bytes of chars
// Aliasing     Inputs, which are columns, bits, indices and counts, may overlap each other. Outputs
//              must not overlap any other view
// Scratch      foo_scratch() covers arguments and texts; where results are strings, also about one
//              byte for each row and 16 KiB; and where rows may be long, in operations that ask for
//              the bytes in chars, also 16 bytes for each KiB of chars (24 to count or split by a
//              text that overlaps itself)
// Before       inputs: last writer -> COMPUTE_SHADER / SHADER_READ. outputs, report: all earlier
//              users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users ->
//              COMPUTE_SHADER | TRANSFER / SHADER_READ | SHADER_WRITE | TRANSFER_WRITE
// After        outputs, report: COMPUTE_SHADER / SHADER_WRITE -> your reader. The others: free
//              after COMPUTE_SHADER
// Errors       rows above kMaxStringRows, columns of different numbers of rows, enumerations out of
//              range, texts too long, views missing, too small, unaligned or overlapping, invalid
//              scratch
// Determinism  Results are the same on every device
// Source       D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
//              (2016). One dispatch computes sizes, offsets and bytes; Schedule::multi_pass takes
//              two
/// @ingroup strings
#pragma once

#include "vkprims/types.hpp"

namespace vkprims {

/// Largest number of rows of a string column.
inline constexpr std::uint64_t kMaxStringRows = (std::uint64_t{1} << 31) - 1;
/// Largest number of bytes of one row.
inline constexpr std::uint64_t kMaxStringBytes = (std::uint64_t{1} << 31) - 1;

/// A column of strings in memory that the view does not own. Row i is chars[offsets[i] … offsets[i
/// + 1]).
///
/// The data may be anything: rows whose offsets do not ascend or point past chars are cut to the
/// bytes that exist, and bytes need not be UTF-8.
struct StringColumnView {
  /// rows + 1 u32 or u64 (Arrow's int32 or int64); address multiple of their size
  BufferView offsets = {};
  BufferView chars = {};  ///< bytes, at any address; offsets count from here
  /// Bits, lowest first; 1 means not null. The address is a multiple of 4, or 0 if no row is null.
  BufferView validity = {};
  std::uint64_t rows = 0;                     ///< 0 … kMaxStringRows
  std::uint32_t first_bit = 0;                ///< number of the bit of row 0 in validity, 0 … 31
  IndexWidth offset_width = IndexWidth::u32;  ///< width of the offsets

  /// The view of rows first … first + n - 1. Nothing is copied.
  StringColumnView slice(std::uint64_t first, std::uint64_t n) const;
};

/// One bit for each row, such as the result of a predicate.
struct BitsView {
  BufferView bits = {};         ///< lowest first; address multiple of 4
  BufferView validity = {};     ///< address 0: no row is null
  std::uint64_t rows = 0;       ///< number of rows
  std::uint32_t first_bit = 0;  ///< number of row 0's bit, 0 … 31, in bits and validity
};

/// The outputs that a column of strings is written to. Null rows have no bytes.
struct StringColumnOut {
  BufferView offsets = {};  ///< room for rows + 1 offsets; address multiple of their size
  BufferView chars = {};    ///< any address; nothing is written past chars.bytes bytes
  /// Room for (rows + 31) / 32 words of 4 bytes; address multiple of 4. Address 0: not wanted.
  BufferView validity = {};
  IndexWidth offset_width = IndexWidth::u32;  ///< u32: at most 2^31 - 1 bytes of chars are used
};

/// Size in bytes of the words that hold `rows` bits from bit `first_bit` on.
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

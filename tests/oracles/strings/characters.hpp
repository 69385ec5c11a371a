// Characters, whitespace and code points in rows whose bytes may be anything.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vkprims::oracle::strings {

/// Says whether a character begins at a byte. One begins at the first byte of a row and at every
/// byte that is not a continuation byte, 10xxxxxx; the bytes up to the next beginning belong to it.
/// In UTF-8 characters are the code points.
inline bool begins_character(std::string_view row, std::size_t byte) {
  return byte == 0 || (static_cast<unsigned char>(row[byte]) & 0xc0) != 0x80;
}

/// Returns the characters of a row, which together are all of its bytes.
inline std::vector<std::string_view> characters(std::string_view row) {
  std::vector<std::string_view> result;
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= row.size(); ++end) {
    if (end < row.size() && !begins_character(row, end)) continue;
    result.push_back(row.substr(begin, end - begin));
    begin = end;
  }
  return result;
}

/// Returns the first character of a row, or nothing if the row is empty.
inline std::string_view first_character(std::string_view row) {
  std::size_t end = std::min<std::size_t>(row.size(), 1);
  while (end < row.size() && !begins_character(row, end)) ++end;
  return row.substr(0, end);
}

/// Whitespace is recognised by single bytes.
inline bool is_whitespace(char byte) { return static_cast<unsigned char>(byte) <= 0x20; }

/// Returns the UTF-8 of a code point, 1 to 4 bytes.
inline std::string encode(std::uint32_t code_point) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  // A continuation byte has six bits of the code point.
  const auto tail = [&](int shift) { return byte(0x80 | (code_point >> shift & 0x3f)); };
  if (code_point < 0x80) return {byte(code_point)};
  if (code_point < 0x800) return {byte(0xc0 | code_point >> 6), tail(0)};
  if (code_point < 0x10000) return {byte(0xe0 | code_point >> 12), tail(6), tail(0)};
  return {byte(0xf0 | code_point >> 18), tail(12), tail(6), tail(0)};
}

/// A code point, and its number of bytes.
struct Decoded {
  std::uint32_t code_point;
  std::size_t bytes;
};

/// Returns the code point whose UTF-8 begins at a byte of a row, or nothing if the bytes there are
/// not UTF-8: they are cut, longer than necessary, a surrogate, or past U+10FFFF.
inline std::optional<Decoded> decode(std::string_view row, std::size_t at) {
  const auto lead = static_cast<std::uint8_t>(row[at]);
  // The number of ones is the number of bytes, but 0 means one byte, and 1 a continuation byte.
  const int ones = std::countl_one(lead);
  const std::size_t bytes = ones == 0 ? 1 : static_cast<std::size_t>(ones);
  if (ones == 1 || ones > 4 || row.size() - at < bytes) return std::nullopt;
  std::uint32_t code_point = ones == 0 ? lead : lead & (0x7fu >> ones);
  for (std::size_t i = 1; i < bytes; ++i) {
    code_point = code_point << 6 | (static_cast<unsigned char>(row[at + i]) & 0x3f);
  }
  const bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
  if (surrogate || code_point > 0x10ffff) return std::nullopt;
  // One comparison finds both bytes that are not continuation bytes and forms that are too long.
  if (encode(code_point) != row.substr(at, bytes)) return std::nullopt;
  return Decoded{code_point, bytes};
}

}  // namespace vkprims::oracle::strings

// Columns of strings for tests: random ones of any bytes and lengths, rows at every alignment,
// names to redact.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "oracles/strings/characters.hpp"
#include "vkprims/string_column.hpp"

namespace vkprims::test {

/// Bytes of the few long rows, about.
inline constexpr std::uint64_t kLongRow = 16 << 10;

enum class Lengths {
  uniform,       ///< 0 … max_bytes
  mostly_short,  ///< 0 … max_bytes, but one row in 100 has kLongRow bytes and up to 15 more
};

/// What random strings are like. Shares are in percent: of rows, then of characters.
struct StringsShape {
  Lengths lengths = Lengths::uniform;
  std::uint64_t max_bytes = 24;
  std::uint32_t nulls = 0;
  std::uint32_t empties = 0;  ///< more than those that have no bytes by chance
  std::uint32_t wide = 30;    ///< characters of 2 to 4 bytes
  std::uint32_t spaces = 10;  ///< whitespace, most of it 0x20
  std::uint32_t invalid = 0;  ///< bytes that are not UTF-8
};

/// Shapes that between them reach every path: ASCII or not, broken, skewed, with nulls and empty
/// rows, of these only.
inline std::vector<StringsShape> strings_shapes() {
  return {{},
          {.wide = 0},
          {.max_bytes = 3},
          {.nulls = 30, .empties = 30},
          {.max_bytes = 200, .invalid = 20},
          {.lengths = Lengths::mostly_short, .nulls = 10, .invalid = 2},
          {.nulls = 50, .empties = 100},
          {.empties = 100},
          {.nulls = 100}};
}

/// Few enough different characters that short targets are found often; others come between them.
inline std::string random_character(std::mt19937_64& engine, std::uint32_t bytes) {
  static const std::array<std::vector<std::string>, 5> kFrequent{{
      {},
      {"a", "b", "c", "A", "B", ":", ",", "0"},
      {"é", "É", "ß", "я", "\xc2\x80"},
      {"数", "据", "ẞ", "\xef\xbf\xbf"},
      {"😀", "𐐀", "\xf4\x8f\xbf\xbf"},
  }};
  constexpr std::uint32_t kFirst[] = {0, 0x21, 0x80, 0x800, 0x10000, 0x110000};
  const std::vector<std::string>& frequent = kFrequent[bytes];
  if (engine() % 4 != 0) return frequent[engine() % frequent.size()];
  const std::uint32_t end = bytes == 1 ? 0x7f : kFirst[bytes + 1];
  auto code_point = static_cast<std::uint32_t>(kFirst[bytes] + engine() % (end - kFirst[bytes]));
  if (code_point >= 0xd800 && code_point < 0xe000) code_point -= 0x1000;  // surrogates
  return oracle::strings::encode(code_point);
}

/// 1 to 4 bytes that are not UTF-8: lone continuation bytes, a cut character, 0xFF, an "a" longer
/// than need be.
inline std::string random_invalid(std::mt19937_64& engine) {
  switch (engine() % 4) {
    case 0:
      return std::string(1 + engine() % 4, static_cast<char>(0x80 + engine() % 0x40));
    case 1: {
      const auto bytes = static_cast<std::uint32_t>(2 + engine() % 3);
      return random_character(engine, bytes).substr(0, 1 + engine() % (bytes - 1));
    }
    case 2:
      return "\xff";
    default:
      return "\xc1\xa1";
  }
}

/// Exactly so many bytes. A row too short for what comes next is filled up with letters.
inline std::string random_string(std::mt19937_64& engine, std::uint64_t bytes,
                                 const StringsShape& shape) {
  constexpr char kSpaces[] = {' ', ' ', ' ', ' ', '\t', '\n', '\0', '\x1f'};
  std::string row;
  while (row.size() < bytes) {
    std::string next;
    const std::uint64_t kind = engine() % 100;
    if (kind < shape.invalid) {
      next = random_invalid(engine);
    } else if (engine() % 100 < shape.spaces) {
      next = kSpaces[engine() % std::size(kSpaces)];
    } else {
      const bool wide = engine() % 100 < shape.wide;
      next = random_character(engine, wide ? static_cast<std::uint32_t>(2 + engine() % 3) : 1);
    }
    row += row.size() + next.size() <= bytes ? next : "a";
  }
  return row;
}

/// The same rows for the same arguments on every platform.
inline HostStrings random_strings(std::uint64_t n, std::uint32_t seed,
                                  const StringsShape& shape = {}) {
  std::mt19937_64 engine(seed);
  HostStrings rows(n);
  for (std::optional<std::string>& row : rows) {
    if (engine() % 100 < shape.nulls) continue;
    std::uint64_t bytes = engine() % (shape.max_bytes + 1);
    const bool is_long = engine() % 100 == 0;
    if (is_long && shape.lengths == Lengths::mostly_short) bytes = kLongRow + engine() % 16;
    if (engine() % 100 < shape.empties) bytes = 0;
    row = random_string(engine, bytes, shape);
  }
  return rows;
}

/// Rows of each length of 0 to 20 bytes: ASCII, wide characters at the end, broken ones, whitespace
/// at the ends.
inline HostStrings edge_strings() {
  HostStrings rows;
  const auto fill = [](std::size_t bytes, std::size_t used) {
    return std::string("abcdefghijklmnopqrstu").substr(0, bytes - used);
  };
  const std::string ends[] = {
      "é",    "数",       "😀", "\x80",    "\xbf\xbf\xbf",      "\xff", "\xf0\x9f\x98",
      "\xc3", "\xc1\xa1", " ", "\t \n\r", std::string(1, '\0')};
  for (std::size_t bytes = 0; bytes <= 20; ++bytes) {
    rows.push_back(fill(bytes, 0));
    rows.push_back(std::string(bytes, ' '));
    rows.push_back(std::string(bytes, '\x80'));
    rows.push_back(std::string(bytes, '\xff'));
    for (const std::string& end : ends) {
      if (end.size() > bytes) continue;
      rows.push_back(fill(bytes, end.size()) + end);
      rows.push_back(end + fill(bytes, end.size()));
    }
  }
  return rows;
}

/// Each row 16 times, so that its bytes begin at 0, 1, … 15 modulo 16; rows of filling before each.
inline HostStrings at_every_alignment(const HostStrings& rows) {
  HostStrings result;
  std::uint64_t at = 0;
  for (const std::optional<std::string>& row : rows) {
    for (std::uint64_t start = 0; start < 16; ++start) {
      result.push_back(std::string((start - at) % 16, '-'));
      result.push_back(row);
      at = start + (row ? row->size() : 0);
    }
  }
  return result;
}

/// Two columns: what redact takes.
struct RedactRows {
  HostStrings names;         ///< first and last name, a space between
  HostStrings visibilities;  ///< "public" or "private"
};

/// 7 of 10 are public. With offsets of 4 bytes, a row of both columns and of the result has 37.9
/// bytes on average.
inline RedactRows redact_rows(std::uint64_t n, std::uint32_t seed) {
  static constexpr const char* kFirst[] = {
      "Adrian", "Arthur", "Bruno",   "Caroline",    "Edmund",   "Eleanor",  "Felix",
      "Helga",  "Irene",  "Jonas",   "Leonie",      "Magnus",   "Martin",   "Nadine",
      "Oliver", "Ian",    "Rebecca", "Christopher", "Theodore", "Valentina"};
  static constexpr const char* kLast[] = {"Anderson", "Berg",   "Bradford", "Cole",   "Dahl",
                                          "Frost",    "Glenn",  "Hardy",    "Irwin",  "Kendall",
                                          "Lund",     "Mason",  "Nolan",    "Parker", "Quinn",
                                          "Ramsey",   "Sutton", "Tanner",   "Vaughn", "Whitaker"};
  std::mt19937_64 engine(seed);
  RedactRows rows;
  rows.names.reserve(n);
  rows.visibilities.reserve(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::string first = kFirst[engine() % std::size(kFirst)];
    rows.names.push_back(first + " " + kLast[engine() % std::size(kLast)]);
    rows.visibilities.push_back(engine() % 10 < 7 ? "public" : "private");
  }
  return rows;
}

/// Names and visibilities of other forms: each name with each visibility.
inline RedactRows redact_traps() {
  RedactRows rows;
  for (const std::optional<std::string>& name :
       HostStrings{"John Doe", "Cher", "", " ", "  ", " Leading", "Trailing ", "Two  spaces",
                   "A B C", "Tab\tbed", "É", "Zoë Ünal", "数 据", "a \x80z", "\x80 \xff",
                   "\xf0\x9f", std::nullopt}) {
    for (const std::optional<std::string>& visibility :
         HostStrings{"public", "private", "", "not public yet", "Public", "publi", std::nullopt}) {
      rows.names.push_back(name);
      rows.visibilities.push_back(visibility);
    }
  }
  return rows;
}

}  // namespace vkprims::test

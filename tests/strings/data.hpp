// Columns of strings for tests: random ones of any bytes and lengths, rows at every alignment, and
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

/// The approximate number of bytes of the few long rows.
inline constexpr std::uint64_t kLongRow = 16 << 10;

enum class Lengths {
  uniform,       ///< 0 … max_bytes
  mostly_short,  ///< 0 … max_bytes; one row in 100 has kLongRow bytes and up to 15 more
};

/// Describes random strings. `nulls` and `empties` are percentages of rows, the others of
/// characters.
struct StringsShape {
  Lengths lengths = Lengths::uniform;
  std::uint64_t max_bytes = 24;
  std::uint32_t nulls = 0;
  std::uint32_t empties = 0;  ///< in addition to those that are empty by chance
  std::uint32_t wide = 30;    ///< characters of 2 to 4 bytes
  std::uint32_t spaces = 10;  ///< whitespace, most of it 0x20
  std::uint32_t invalid = 0;  ///< bytes that are not UTF-8
};

/// These shapes together reach every path: ASCII or not, broken, skewed, with some null or empty
/// rows, or with these only.
std::vector<StringsShape> strings_shapes();

/// Returns one of so few characters that short targets are found often; others come between them.
std::string random_character(std::mt19937_64& engine, std::uint32_t bytes);

/// Returns 1 to 4 bytes that are not UTF-8: lone continuation bytes, a cut character, 0xFF, or an
/// overlong "a".
std::string random_invalid(std::mt19937_64& engine);

/// Returns exactly `bytes` bytes. Where the next character does not fit, letters fill the row.
std::string random_string(std::mt19937_64& engine, std::uint64_t bytes,
                                 const StringsShape& shape);

/// Returns the same rows for the same arguments on every platform.
HostStrings random_strings(std::uint64_t n, std::uint32_t seed,
                                  const StringsShape& shape = {});

/// Returns rows of each length of 0 to 20 bytes: ASCII, wide characters at the end, broken ones,
/// whitespace at the ends.
HostStrings edge_strings();

/// Returns each row 16 times, so that its bytes begin at 0, 1, … 15 modulo 16, with padding rows
/// before each.
HostStrings at_every_alignment(const HostStrings& rows);

/// The two columns that redact takes.
struct RedactRows {
  HostStrings names;         ///< first and last name with a space between
  HostStrings visibilities;  ///< "public" or "private"
};

/// Returns rows of which 7 in 10 are public. With offsets of 4 bytes, a row of both columns and of
/// the result has 37.9 bytes on average.
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

/// Returns names and visibilities of unusual forms: each name with each visibility.
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

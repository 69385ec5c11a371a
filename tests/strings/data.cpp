// The columns of data.hpp.
#include "strings/data.hpp"

namespace vkprims::test {

std::vector<StringsShape> strings_shapes() {
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

std::string random_character(std::mt19937_64& engine, std::uint32_t bytes) {
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
  if (code_point >= 0xd800 && code_point < 0xe000) code_point -= 0x1000;  // avoids surrogates
  return oracle::strings::encode(code_point);
}

std::string random_invalid(std::mt19937_64& engine) {
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

std::string random_string(std::mt19937_64& engine, std::uint64_t bytes, const StringsShape& shape) {
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

HostStrings random_strings(std::uint64_t n, std::uint32_t seed, const StringsShape& shape) {
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

HostStrings edge_strings() {
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

HostStrings at_every_alignment(const HostStrings& rows) {
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

}  // namespace vkprims::test

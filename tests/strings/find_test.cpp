// Tests of strings::find.
#include "vkprims/strings/find.hpp"

#include "oracles/strings/pieces.hpp"
#include "oracles/strings/search.hpp"
#include "strings/found_numbers.hpp"
#include "strings/layouts.hpp"

namespace vkprims::test {
namespace {

using strings::FindDesc;
using strings::StringNumber;

constexpr StringNumber kNumbers[] = {
    StringNumber::find,        StringNumber::rfind, StringNumber::count_characters,
    StringNumber::count_bytes, StringNumber::count, StringNumber::count_tokens};

oracle::strings::Numbers expected_numbers(const HostStrings& rows, const FindDesc& desc) {
  const auto start = static_cast<std::int32_t>(desc.start);
  const std::int32_t stop = desc.stop ? static_cast<std::int32_t>(*desc.stop) : -1;
  switch (desc.number) {
    case StringNumber::find:
      return oracle::strings::find(rows, desc.text, start, stop);
    case StringNumber::rfind:
      return oracle::strings::rfind(rows, desc.text, start, stop);
    case StringNumber::count_characters:
      return oracle::strings::count_characters(rows);
    case StringNumber::count_bytes:
      return oracle::strings::count_bytes(rows);
    case StringNumber::count:
      return oracle::strings::count(rows, desc.text);
    case StringNumber::count_tokens:
      return oracle::strings::count_tokens(rows, desc.text);
  }
  return {};
}

void check_find(const HostStrings& rows, const FindDesc& desc, const Placement& in = {}) {
  const PlacedColumn column(rows, in);
  CHECK(difference(found_numbers(column.view(), desc), expected_numbers(rows, desc)) == "");
}

}  // namespace

TEST_CASE("strings find: rows of every shape, alignment, number and length") {
  const std::string_view texts[] = {"a", "bc", "é", "abc", "fghij", ":", "-"};
  std::size_t i = 0;
  for_each_layout(
      kOneSchedule,
      [&](const HostStrings& rows, const Layout& layout) {
        for (const StringNumber number : kNumbers) {
          if (subset() && number == StringNumber::rfind) continue;
          const std::string_view text = texts[i++ % std::size(texts)];
          CAPTURE(static_cast<int>(number));
          CAPTURE(text);
          check_find(rows, {.number = number, .text = text}, layout.in);
        }
      },
      kLongestSearched);
}

TEST_CASE("strings find: between characters, texts of any bytes, also empty or within characters") {
  const HostStrings traps{"éaéaé",
                          "aaaa",
                          "a\x80\x80"
                          "b",
                          "\x80\xa9\xa9",
                          "\xc3\xa9\xa9",
                          "",
                          "abcdabcdabcd",
                          "\xf0\x9f\x98\x80\x80",
                          std::nullopt};
  HostStrings rows = random_strings(300, 1, {.max_bytes = 12, .nulls = 10, .invalid = 20});
  rows.insert(rows.end(), traps.begin(), traps.end());
  using Stop = std::optional<std::uint32_t>;
  for (const StringNumber number : {StringNumber::find, StringNumber::rfind}) {
    if (subset() && number == StringNumber::rfind) continue;
    for (const std::string_view text : {"", "a", "é", "ab", "abcd", "\x80", "\xa9", "\xbf", "éa"}) {
      for (const std::uint32_t start : {0u, 1u, 3u, 8u, 0x7fffffffu}) {
        for (const Stop stop : {Stop(), {0}, {1}, {4}, {100}, {0x7fffffff}}) {
          if (stop && *stop < start) continue;
          CAPTURE(static_cast<int>(number));
          CAPTURE(shown(text));
          CAPTURE(start);
          CAPTURE(stop.value_or(77));
          check_find(rows, {number, text, start, stop}, layout(start % 32, {}).in);
        }
      }
    }
  }
}

TEST_CASE("strings find: how often texts of any bytes are there, and how many tokens are between") {
  const HostStrings traps{
      "w:::x",      "::",        ":",         "::::",        ":a:b:",
      "a::b",       "é😀é",       "aéébé",     "\x80é",       "\xc3\xa9\xa9",
      "a--b",       "ababababa", "Delimiter", "xDelimitery", "DelimiterDelimiter",
      "Delimite",   " a  b ",    "\t\n",      " a",          "a ",
      "a\x80 \x80", "",          std::nullopt};
  HostStrings rows = random_strings(400, 1, {.max_bytes = 12, .nulls = 10, .invalid = 10});
  rows.insert(rows.end(), traps.begin(), traps.end());
  for (const StringNumber number : {StringNumber::count, StringNumber::count_tokens}) {
    for (const std::string_view text :
         {"", ":", "::", "é", "a", "ab", "aba", "Delimiter", "\x80", "\xa9", " "}) {
      CAPTURE(static_cast<int>(number));
      CAPTURE(text);
      check_find(rows, {.number = number, .text = text}, layout(text.size(), {}).in);
    }
  }
  // No occurrence reaches into the next row.
  check_find({"{a=1}:{b=2}:", "{c=3}", ":{}:{}", "}:{", "}:", "{"},
             {.number = StringNumber::count, .text = "}:{"});
}

TEST_CASE("strings find: a row of more bytes than can be marked, the only one that is not ASCII") {
  HostStrings rows(100, "short needle");
  rows[5] = "é" + std::string(70'000, 'x') + "needle" + std::string(70'000, 'y');
  for (const StringNumber number : kNumbers) {
    CAPTURE(static_cast<int>(number));
    check_find(rows, {.number = number, .text = "needle"});
  }
}

TEST_CASE("strings find: smoke" * doctest::test_suite("smoke")) {
  check_find(random_strings(600, 1, {.nulls = 10}), {.text = "b"});
}

}  // namespace vkprims::test

#include "vkprims/strings/split.hpp"

#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"

namespace vkprims::test {
namespace {

struct Token {
  std::string_view delimiter = {};
  std::uint32_t number = 0;
  bool rest = false;
};

// The oracle gives all columns up to one that exists; tokens far behind do not.
HostStrings expected_tokens(const HostStrings& rows, const Token& token) {
  if (token.number > 1000) return HostStrings(rows.size());
  return oracle::strings::split(rows, token.delimiter, token.number + 1, token.rest).back();
}

void check_split(const HostStrings& rows, const Token& token, const Layout& layout) {
  const strings::SplitDesc desc{.delimiter = token.delimiter,
                                .token = token.number,
                                .rest = token.rest,
                                .schedule = layout.schedule};
  const Device& d = device();
  const PlacedColumn column(rows, layout.in);
  check_rows(expected_tokens(rows, token), layout.to, strings::split_scratch(d, desc, rows.size()),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_split(cmd, d, desc,
                                            {.in = column.view(), .out = out, .scratch = scratch});
             });
}

}  // namespace

TEST_CASE("strings split: rows of every shape, alignment, number and length") {
  const Token tokens[] = {{}, {"b"}, {.number = 1, .rest = true}, {"c", 1}, {"a", 0, true}};
  std::size_t i = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    check_split(rows, tokens[i++ % 5], layout);
  });
}

TEST_CASE("strings split: delimiters of any bytes, one after another and at the ends") {
  const HostStrings traps{
      "w:::x",      "::",        ":",         "::::",        ":a:b:",
      "a::b",       "é😀é",       "aéébé",     "\x80é",       "\xc3\xa9\xa9",
      "a--b",       "ababababa", "Delimiter", "xDelimitery", "DelimiterDelimiter",
      "Delimite",   " a  b ",    "\t\n",      " a",          "a ",
      "a\x80 \x80", "",          std::nullopt};
  HostStrings rows = random_strings(400, 1, {.max_bytes = 12, .nulls = 10, .invalid = 10});
  rows.insert(rows.end(), traps.begin(), traps.end());
  for (const std::string_view delimiter :
       {"", ":", "::", "é", "a", "ab", "aba", "Delimiter", "\x80", "\xa9", " "}) {
    for (const std::uint32_t number : {0u, 1u, 2u, 5u, 0x7fffffffu}) {
      for (const bool rest : {false, true}) {
        CAPTURE(delimiter);
        CAPTURE(number);
        CAPTURE(rest);
        check_split(rows, {delimiter, number, rest}, layout(number % 16, Schedule::look_back));
      }
    }
  }
}

TEST_CASE("strings split: what is a delimiter only with the row behind it") {
  const HostStrings rows{"{a=1}:{b=2}:", "{c=3}", ":{}:{}", "}:{", "}:", "{"};
  for (std::uint32_t number = 0; number < 4; ++number) {
    check_split(rows, {"}:{", number}, {});
  }
}

TEST_CASE("strings split: smoke" * doctest::test_suite("smoke")) {
  for (const Schedule schedule : kRopeSchedules) {
    check_split(random_strings(600, 1, {.nulls = 10}), {.number = 1}, layout(3, schedule));
  }
}

}  // namespace vkprims::test

// Tests of strings::match.
#include "vkprims/strings/match.hpp"

#include "oracles/strings/search.hpp"
#include "strings/layouts.hpp"

namespace vkprims::test {
namespace {

using strings::Match;

constexpr Match kMatches[] = {Match::contains, Match::starts_with, Match::ends_with};

template <class Targets>
oracle::strings::Bools expected_bits(Match match, const HostStrings& rows, const Targets& targets) {
  switch (match) {
    case Match::contains:
      return oracle::strings::contains(rows, targets);
    case Match::starts_with:
      return oracle::strings::starts_with(rows, targets);
    case Match::ends_with:
      return oracle::strings::ends_with(rows, targets);
  }
  return {};
}

void check_bits(const strings::MatchDesc& desc, const StringColumnView& in,
                const StringColumnView& targets, const oracle::strings::Bools& expected) {
  const Device& d = device();
  const PlacedRows result(expected.size(), bit_bytes(expected.size()));
  const DirtyScratch scratch(strings::match_scratch(d, desc, in.chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_match(cmd, d, desc,
                                         {.in = in,
                                          .targets = targets,
                                          .out = result.values(),
                                          .validity = result.validity(),
                                          .scratch = scratch.get()}));
  });
  CHECK(difference(result.bits(), expected) == "");
}

void check_text(Match match, const HostStrings& rows, std::string_view text,
                const Placement& in = {}) {
  const PlacedColumn column(rows, in);
  check_bits({.match = match, .text = text}, column.view(), {}, expected_bits(match, rows, text));
}

void check_targets(Match match, const HostStrings& rows, const HostStrings& targets,
                   const Layout& layout) {
  const PlacedColumn column(rows, layout.in), placed_targets(targets, layout.to);
  check_bits({.match = match, .of_column = true}, column.view(), placed_targets.view(),
             expected_bits(match, rows, targets));
}

// Returns parts of the rows, some of them from another row. Parts of long rows have at most
// `of_long` bytes.
HostStrings parts_of(const HostStrings& rows, std::uint32_t seed, std::size_t of_long) {
  std::mt19937 engine(seed);
  HostStrings parts = rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (engine() % 8 == 0) parts[i] = rows[engine() % rows.size()];
    if (!parts[i]) continue;
    const std::size_t bytes = parts[i]->size();
    std::size_t begin = engine() % (bytes + 1);
    std::size_t length = engine() % (bytes - begin + 1);
    if (bytes >= kLongRow) length = std::min(length, of_long);
    if (engine() % 3 == 0) begin = 0;
    if (engine() % 3 == 0) begin = bytes - length;
    parts[i] = parts[i]->substr(begin, length);
  }
  return parts;
}

}  // namespace

TEST_CASE("strings match: a text in rows of every shape, alignment, number and length") {
  const std::string_view texts[] = {"a", "bc", "é", "abc", "fghij", "-"};
  std::size_t i = 0;
  for_each_layout(
      kOneSchedule,
      [&](const HostStrings& rows, const Layout& layout) {
        for (const Match match : kMatches) {
          if (subset() && match != Match::contains) continue;
          check_text(match, rows, texts[i++ % std::size(texts)], layout.in);
        }
      },
      kLongestSearched);
}

TEST_CASE("strings match: a column of targets, in rows of every shape, alignment and number") {
  std::uint32_t i = 0;
  for_each_layout(
      kOneSchedule,
      [&](const HostStrings& rows, const Layout& layout) {
        ++i;
        for (const Match match : kMatches) {
          if (subset() && match != Match::contains) continue;
          // With longer targets a search in long rows exceeds lavapipe's limit of iterations.
          const HostStrings targets = parts_of(rows, i, match == Match::contains ? 4 : 2000);
          Layout l = layout;
          l.to.rows_before = layout.in.rows_before * 3 + 1;
          check_targets(match, rows, targets, l);
        }
      },
      kLongestSearched);
}

TEST_CASE("strings match: texts of 0 to 40 bytes, that begin like others, and broken ones") {
  HostStrings rows = edge_strings();
  const HostStrings traps{"aaaaaaaaaab",  "abababababac",
                          "abcabcabcabd", "\xff\xff\xfe",
                          "\x80\x80",     "abcdefghijklmnopqrstuabcdefghijklmnopqrstu",
                          "xabcdabcde",   std::nullopt};
  rows.insert(rows.end(), traps.begin(), traps.end());
  const std::string letters = "abcdefghijklmnopqrstuabcdefghijklmnopqrstu";
  for (const Match match : kMatches) {
    if (subset() && match != Match::contains) continue;
    CAPTURE(static_cast<int>(match));
    for (std::size_t bytes = 0; bytes <= 40; bytes += bytes < 10 ? 1 : 5) {
      CAPTURE(bytes);
      check_text(match, rows, letters.substr(0, bytes));
      check_text(match, rows, letters.substr(letters.size() - bytes));
    }
    for (const std::string_view text : {"aaab", "abac", "abcabd", "\xff", "\xff\xfe", "\x80",
                                        "\x80\x80\x80", "abcde", "\xbf é"}) {
      CAPTURE(shown(text));
      check_text(match, rows, text);
    }
    check_text(match, rows, std::string_view("\0", 1));
    check_text(match, rows, std::string_view("\0\0", 2));
  }
}

TEST_CASE("strings match: every mix of null, empty and other rows and targets") {
  HostStrings rows, targets;
  for (const auto& row : HostStrings{std::nullopt, "", "x", "xy", "yx"}) {
    for (const auto& target : HostStrings{std::nullopt, "", "x", "xy"}) {
      rows.push_back(row);
      targets.push_back(target);
    }
  }
  for (const Match match : kMatches) {
    if (subset() && match != Match::contains) continue;
    for (const bool garbage : {false, true}) {
      Layout l = layout(9, Schedule::automatic);
      l.in.garbage_in_nulls = l.to.garbage_in_nulls = garbage;
      check_targets(match, rows, targets, l);
    }
  }
}

TEST_CASE("strings match: smoke" * doctest::test_suite("smoke")) {
  check_text(Match::contains, random_strings(600, 1, {.nulls = 10}), "ab");
}

}  // namespace vkprims::test

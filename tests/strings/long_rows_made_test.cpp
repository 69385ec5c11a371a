// Results of long rows: one row of many megabytes, many of 16 KiB, and long ones among short ones.
#include <random>

#include "oracles/strings/case.hpp"
#include "oracles/strings/pieces.hpp"
#include "strings/check.hpp"
#include "support/turns.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

// Long rows whose characters the oracle can describe cheaply: they consist of units, each of which
// is known.
struct LongRows {
  HostStrings rows;
  explicit LongRows(HostStrings from) : rows(std::move(from)), column(rows, {.chars_at = 3}) {}
  PlacedColumn column;
};

std::string repeated(std::string_view unit, std::size_t bytes) {
  std::string row;
  row.reserve(bytes + unit.size());
  while (row.size() < bytes) row += unit;
  return row;
}

// The unit has words, characters of one to four bytes, and ß, which grows.
constexpr std::string_view kUnit = "aß cd\u00e9fg \u4e2d\U0001f600,hij klmnop\t";

HostStrings among_short_rows(std::size_t long_rows, std::size_t bytes, std::size_t short_rows) {
  HostStrings rows;
  for (std::size_t i = 0; i < long_rows; ++i) {
    for (std::size_t k = 0; k < short_rows; ++k) {
      if (k % 17 == 3) {
        rows.push_back(std::nullopt);
      } else {
        rows.push_back(std::string(kUnit.substr(0, (i + k) % 3 == 0 ? 3 : 10)));
      }
    }
    rows.push_back(std::string(i % 5, 'x') + repeated(kUnit, bytes) + std::string(i % 7, ' '));
  }
  return rows;
}

template <class Record>
void check(const HostStrings& expected, const ScratchNeed& need, Record&& record) {
  check_rows(expected, {.chars_at = 1}, need, record);
}

// Compares with Python's slice, for rows that are cut into characters once.
void check_slice(const LongRows& in, const strings::SliceDesc& desc) {
  CAPTURE(desc.start.value_or(-999));
  CAPTURE(desc.stop.value_or(-999));
  CAPTURE(desc.step);
  const HostStrings expected =
      oracle::strings::slice(in.rows, {.start = desc.start, .stop = desc.stop, .step = desc.step});
  const Device& d = device();
  check(expected, strings::slice_scratch(d, desc, in.rows.size(), most_chars(in.rows)),
        [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
          return strings::record_slice(cmd, d, desc,
                                       {.in = in.column.view(), .out = out, .scratch = scratch});
        });
}

void check_split(const LongRows& in, const strings::SplitDesc& desc) {
  CAPTURE(desc.delimiter);
  CAPTURE(desc.token);
  CAPTURE(desc.rest);
  HostStrings expected(in.rows.size());
  for (std::size_t i = 0; i < in.rows.size(); ++i) {
    if (!in.rows[i]) continue;
    const std::size_t most = desc.rest ? desc.token + 1 : desc.token + 2;
    const auto tokens = oracle::strings::tokens(*in.rows[i], desc.delimiter, most);
    if (tokens.size() > desc.token) expected[i] = tokens[desc.token];
  }
  const Device& d = device();
  check(expected, strings::split_scratch(d, desc, in.rows.size(), most_chars(in.rows)),
        [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
          return strings::record_split(cmd, d, desc,
                                       {.in = in.column.view(), .out = out, .scratch = scratch});
        });
}

void check_strip(const LongRows& in, const strings::StripDesc& desc) {
  CAPTURE(desc.characters);
  const auto side = static_cast<int>(desc.side);
  CAPTURE(side);
  const auto of_oracle = desc.side == strings::StripSide::both   ? oracle::strings::Side::both
                         : desc.side == strings::StripSide::left ? oracle::strings::Side::left
                                                                 : oracle::strings::Side::right;
  const Device& d = device();
  check(oracle::strings::strip(in.rows, of_oracle, desc.characters),
        strings::strip_scratch(d, desc, in.rows.size(), most_chars(in.rows)),
        [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
          return strings::record_strip(cmd, d, desc,
                                       {.in = in.column.view(), .out = out, .scratch = scratch});
        });
}

void check_upper(const LongRows& in, std::uint64_t longest_row_bytes = 0) {
  HostStrings expected = oracle::strings::map_case(
      in.rows, {{0xdf, {'S', 'S'}}, {0xe9, {0xc9}}});  // the unit's letters beyond ASCII
  expected = oracle::strings::to_upper(expected);
  const Device& d = device();
  const strings::ChangeCaseDesc desc{.to = strings::Case::upper,
                                     .longest_row_bytes = longest_row_bytes};
  check(expected, strings::change_case_scratch(d, desc, in.rows.size(), most_chars(in.rows)),
        [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
          return strings::record_change_case(
              cmd, d, desc, {.in = in.column.view(), .out = out, .scratch = scratch});
        });
}

void check_concatenate(const LongRows& in) {
  const Device& d = device();
  const strings::ConcatenateDesc desc{.separator = "-"};
  const StringColumnView both[] = {in.column.view(), in.column.view()};
  check(oracle::strings::concatenate({in.rows, in.rows}, {.separator = "-"}),
        strings::concatenate_scratch(d, desc, 2, in.rows.size()),
        [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
          return strings::record_concatenate(cmd, d, desc,
                                             {.columns = both, .out = out, .scratch = scratch});
        });
}

void check_all(const LongRows& in) {
  const auto middle = static_cast<std::int32_t>(in.rows.back()->size() / 3);
  SUBCASE("case") { check_upper(in); }
  SUBCASE("concatenate") { check_concatenate(in); }
  SUBCASE("split") {
    check_split(in, {.token = 100});
    check_split(in, {.token = static_cast<std::uint32_t>(middle) / 9});
    check_split(in, {.token = 3, .rest = true});
    check_split(in, {.delimiter = ",", .token = static_cast<std::uint32_t>(middle) / 12});
    check_split(in, {.delimiter = ",hij k", .token = 2, .rest = true});
    check_split(in, {.delimiter = "not there", .token = 0});
    check_split(in, {.delimiter = "not there", .token = 1});
  }
  SUBCASE("slice") {
    check_slice(in, {.start = middle});
    check_slice(in, {.start = 70, .stop = middle});
    check_slice(in, {.start = -middle, .stop = -65});
    check_slice(in, {.start = 2'000'000'000});
  }
  SUBCASE("steps") {
    check_slice(in, {.step = -1});
    check_slice(in, {.start = middle, .step = -1});
    check_slice(in, {.start = 5, .stop = -5, .step = 2});
    check_slice(in, {.step = 3});
    check_slice(in, {.start = -7, .stop = 3, .step = -2});
  }
  SUBCASE("strip") {
    check_strip(in, {});
    check_strip(in, {.characters = "x \tanop"});
    check_strip(in, {.side = strings::StripSide::left, .characters = "ß x\u4e2d"});
    check_strip(in, {.characters = "aß cd\u00e9fg \u4e2d\U0001f600,hijklmnop\tx"});
  }
}

}  // namespace

TEST_CASE("strings made of long rows: 60 of 16 KiB") {
  if (!exhaustive()) return;
  check_all(LongRows(among_short_rows(60, 16 << 10, 1)));
}

TEST_CASE("strings made of long rows: three of 1 MB among short ones") {
  check_all(LongRows(among_short_rows(3, 1 << 20, 400)));
}

TEST_CASE("strings made of long rows: by delimiters that overlap themselves") {
  // The rows have two letters at random, one that repeats, and both in turn.
  std::mt19937 engine(7);
  std::string random(150'001, 'a');
  for (char& c : random) c = engine() % 3 ? 'a' : 'b';
  const std::string same(70'003, 'a');
  const LongRows in({random, same, std::nullopt, repeated("aab", 50'000),
                     random.substr(0, 9'999) + same, repeated("aabaabaab", 20'000) + random, "aa",
                     ""});
  const std::string many(70, 'a'), periodic = repeated("aab", 100);
  for (const std::string_view delimiter :
       {"aa", "aba", "aabaa", "abaab", "aabaabaa", many.c_str(), periodic.c_str()}) {
    for (const std::uint32_t token : {0u, 1u, 700u, 5'000u, 20'000u, 35'001u}) {
      check_split(in, {.delimiter = delimiter, .token = token});
      check_split(in, {.delimiter = delimiter, .token = token, .rest = true});
      if (!exhaustive()) break;
    }
  }
}

TEST_CASE("strings made of long rows: steps past single bytes, and one row that has another") {
  std::string row;
  for (int i = 0; row.size() < 50'003; ++i) row += std::to_string(i);
  const LongRows in({row, "short", row.substr(1, 4'096), row.substr(2, 8'193), row + "\u00e9"});
  for (const std::int32_t step : {1, -1, 2, -2, 3, -5, 31, 32, -33, 4'097}) {
    check_slice(in, {.start = step < 0 ? -7 : 7, .stop = step < 0 ? 5 : -5, .step = step});
    if (exhaustive()) check_slice(in, {.step = step});
  }
}

TEST_CASE(
    "strings made of long rows: a promise saves scratch, and costs time alone if it is broken") {
  const LongRows in(among_short_rows(3, 20'000, 5));
  const std::uint64_t chars = most_chars(in.rows);
  for (const std::uint64_t longest : {std::uint64_t{20'100}, std::uint64_t{100}}) {
    CAPTURE(longest);
    check_upper(in, longest);
    check_split(in, {.token = 40, .longest_row_bytes = longest});
    check_split(in, {.delimiter = ",", .token = 500, .longest_row_bytes = longest});
    check_slice(in, {.start = 3'000, .longest_row_bytes = longest});
    check_slice(in, {.start = 2, .stop = 9, .longest_row_bytes = longest});
    check_slice(in, {.step = 3, .longest_row_bytes = longest});
    check_strip(in, {.longest_row_bytes = longest});
    check_strip(in, {.characters = "x \tanop", .longest_row_bytes = longest});
  }
  forgive_turns("a promise is broken: an invocation does a row");
  const Device& d = device();
  CHECK(strings::split_scratch(d, {.longest_row_bytes = 100}, 18, chars).bytes <
        strings::split_scratch(d, {}, 18, chars).bytes);
  CHECK(strings::split_scratch(d, {.longest_row_bytes = 20'100}, 18, chars).bytes ==
        strings::split_scratch(d, {}, 18, chars).bytes);
}

TEST_CASE("strings made of long rows: rows of which nothing is left but their ends") {
  const std::string spaces(300'000, ' '), letters(300'000, 'a');
  const LongRows in({spaces, spaces + "b", "b" + spaces, spaces + "b" + spaces, letters,
                     letters + "b" + letters, "b" + letters});
  for (const auto side :
       {strings::StripSide::both, strings::StripSide::left, strings::StripSide::right}) {
    check_strip(in, {.side = side});
    check_strip(in, {.side = side, .characters = "a"});
    check_strip(in, {.side = side, .characters = "ab \u00e9"});
  }
}

TEST_CASE("strings made of long rows: one of many megabytes") {
  if (!exhaustive()) return;
  check_all(LongRows({"short", repeated(kUnit, std::size_t{64} << 20)}));
}

}  // namespace vkprims::test

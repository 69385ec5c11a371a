// Tests of strings::split.
#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

struct Token {
  std::string_view delimiter = {};
  std::uint32_t number = 0;
  bool rest = false;
};

// The oracle returns all columns up to the one that is asked for. Tokens of high numbers do not
// exist.
HostStrings expected_tokens(const HostStrings& rows, const Token& token) {
  if (token.number > 1000) return HostStrings(rows.size());
  return oracle::strings::split(rows, token.delimiter, token.number + 1, token.rest).back();
}

void check_split(const HostStrings& rows, const Token& token, const Layout& layout,
                 Hints hints = kRowBytes) {
  strings::SplitDesc desc{.delimiter = token.delimiter,
                          .token = token.number,
                          .rest = token.rest,
                          .schedule = layout.schedule};
  const Device& d = device();
  const PlacedColumn column(rows, layout.in);
  const HostStrings expected = expected_tokens(rows, token);
  for (const std::uint32_t row_bytes : hints) {
    desc.row_bytes = row_bytes;
    CAPTURE(row_bytes);
    check_rows(expected, layout.to, strings::split_scratch(d, desc, rows.size(), most_chars(rows)),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return strings::record_split(
                     cmd, d, desc, {.in = column.view(), .out = out, .scratch = scratch});
               });
  }
}

// Splits into as many columns as there are tokens.
void check_split_all(const HostStrings& rows, std::string_view delimiter) {
  std::int32_t most = 1;
  for (const auto& n : oracle::strings::count_tokens(rows, delimiter)) {
    most = std::max(most, n.value_or(0));
  }
  const auto expected =
      oracle::strings::split(rows, delimiter, static_cast<std::size_t>(most), false);
  const auto in = upload_strings(context(), rows);
  const auto columns = strings::split(context(), in, {.delimiter = delimiter});
  REQUIRE(columns.size() == expected.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    CAPTURE(i);
    CHECK(difference(download_strings(context(), columns[i]), expected[i]) == "");
  }
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

TEST_CASE("strings split: into as many columns as the row with the most has tokens") {
  for (const std::string_view delimiter : {"", ":", "é", "ab"}) {
    CAPTURE(delimiter);
    check_split_all(random_strings(900, 1, {.nulls = 20}), delimiter);
    check_split_all({"x y", std::nullopt, ":::::", "", "  é  é é "}, delimiter);
    check_split_all({}, delimiter);
    check_split_all({std::nullopt}, delimiter);
    check_split_all({"", " \t", ""}, delimiter);
  }
}

TEST_CASE("strings split: how many columns come out may be said, and must be to a Recorder") {
  const auto in = upload_strings(context(), HostStrings{"a b c", "d", std::nullopt});
  const auto columns = strings::split(context(), in, {.max_columns = 2, .rest = true});
  REQUIRE(columns.size() == 2);
  CHECK(download_strings(context(), columns[0]) == HostStrings{"a", "d", std::nullopt});
  CHECK(download_strings(context(), columns[1]) == HostStrings{"b c", std::nullopt, std::nullopt});
  CHECK(strings::split(context(), in, {.max_columns = 0}).empty());
  context().run([&](Recorder& r) { CHECK(strings::split(r, in, {.max_columns = 0}).empty()); });
  const auto without = [&] { context().run([&](Recorder& r) { strings::split(r, in, {}); }); };
  CHECK_THROWS_WITH_AS(without(), doctest::Contains("split(Context&, …)"), Error);
}

TEST_CASE("strings split: columns hold the bytes that there are, however many columns") {
  // One row has many tokens, the others a few.
  HostStrings rows(100, "one two three");
  rows[3] = std::nullopt;
  rows[7] = "";
  std::string many;
  for (int i = 0; i < 180; ++i) many += std::string(40, 'a') + std::to_string(i) + " ";
  rows[50] = many;
  const auto in = upload_strings(context(), rows);
  for (const bool rest : {false, true}) {
    CAPTURE(rest);
    const std::uint64_t most = rest ? 150 : 180;  // columns: too many for all of `in` in each
    CHECK(in.byte_bound() * most > (1 << 20));
    const auto expected = oracle::strings::split(rows, "", most, rest);
    strings::SplitOptions options{.rest = rest};
    if (rest) options.max_columns = static_cast<std::uint32_t>(most);
    const auto columns = strings::split(context(), in, options);
    REQUIRE(columns.size() == most);
    for (std::size_t i = 0; i < most; ++i) {
      CAPTURE(i);
      std::uint64_t own = 0;
      for (const auto& row : expected[i]) own += row ? row->size() : 0;
      CHECK(columns[i].byte_bound() == own);
      CHECK(columns[i].chars().size() == own);
      if (i % 30 == 0 || i + 1 == most) {
        CHECK(difference(download_strings(context(), columns[i]), expected[i]) == "");
      }
    }
  }
}

TEST_CASE("strings split: an empty delimiter means whitespace, which is any byte up to 0x20") {
  HostStrings rows, words;
  for (int byte = 0; byte <= 0x22; ++byte) {
    const std::string c(1, static_cast<char>(byte));
    rows.push_back(c + c + "a" + c + c + "b");
    words.push_back(byte <= 0x20 ? "b" : HostStrings::value_type());
  }
  rows.push_back(
      "a\xc2\xa0"
      "b\xe3\x80\x80"
      "c");  // spaces of Unicode
  words.push_back(std::nullopt);
  rows.push_back("");
  words.push_back(std::nullopt);
  const auto in = upload_strings(context(), rows);
  std::vector<StringColumn> columns;
  Buffer<std::int32_t> tokens, empty_texts;
  context().run([&](Recorder& r) {
    columns = strings::split(r, in, {.delimiter = "", .max_columns = 2});
    tokens = strings::count_tokens(r, in, "");
    empty_texts = strings::count(r, in, "");
  });
  CHECK(difference(download_strings(context(), columns[1]), words) == "");
  const std::vector<std::int32_t> counts = context().download(tokens);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(counts[i] == (rows[i]->empty() ? 0 : words[i] ? 2 : 1));
  }
  // An empty text is never counted, not even in an empty row.
  CHECK(context().download(empty_texts) == std::vector<std::int32_t>(rows.size(), 0));
}

TEST_CASE("strings split: smoke" * doctest::test_suite("smoke")) {
  // (One schedule is enough, as in gather's smoke test.)
  check_split(random_strings(600, 1, {.nulls = 10}), {.number = 1}, layout(3, Schedule::look_back),
              kShortRows);
}

}  // namespace vkprims::test

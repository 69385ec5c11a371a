// The reference functions for strings, on rows whose results were worked out by hand. This test
// needs no GPU.
#include "oracles/strings/case.hpp"
#include "oracles/strings/order.hpp"
#include "oracles/strings/redact.hpp"
#include "strings/difference.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

using namespace oracle::strings;
using Places = std::vector<std::uint32_t>;

constexpr auto null = std::nullopt;

const HostStrings kRows{"Béllo", "tiesé", null, "leash", "tést strands", ""};

TEST_CASE("strings oracles: a character is what begins at no continuation byte, or a row") {
  using Parts = std::vector<std::string_view>;
  CHECK(characters("").empty());
  CHECK(characters("aé数😀") == Parts{"a", "é", "数", "😀"});
  CHECK(characters("\x80\xbfz") == Parts{"\x80\xbf", "z"});
  CHECK(characters("a\x80\xff\xc3\xc3\xa9\xa9") == Parts{"a\x80", "\xff", "\xc3", "\xc3\xa9\xa9"});
  CHECK(first_character("") == "");
  CHECK(first_character("数x") == "数");
  CHECK(first_character("\x80\x80") == "\x80\x80");
  const HostStrings rows{"aé数😀", "\x80\xbfz", "", null, "\xff\xff"};
  CHECK(difference(count_characters(rows), Numbers{4, 2, 0, null, 2}) == "");
  CHECK(difference(count_bytes(rows), Numbers{10, 3, 0, null, 2}) == "");
}

TEST_CASE("strings oracles: UTF-8 is encoded and decoded, and nothing else is decoded") {
  for (const std::uint32_t code_point :
       {0u, 0x7fu, 0x80u, 0x7ffu, 0x800u, 0xd7ffu, 0xe000u, 0xffffu, 0x10000u, 0x10ffffu}) {
    CAPTURE(code_point);
    const std::string bytes = encode(code_point);
    const auto decoded = decode("x" + bytes + "y", 1);
    REQUIRE(decoded);
    CHECK(decoded->code_point == code_point);
    CHECK(decoded->bytes == bytes.size());
    CHECK(characters(bytes + "y").size() == 2);
  }
  CHECK(encode('A') + encode(0xe9) + encode(0x6570) + encode(0x1f600) == "Aé数😀");
  for (const char* bytes :
       {"\x80", "\xc3", "\xc3z", "\xe6\x95", "\xf0\x9f\x98", "\xff", "\xf8\x80\x80\x80\x80",
        "\xc1\xa1", "\xe0\x81\xa1", "\xf0\x80\x81\xa1", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    CAPTURE(shown(bytes));
    CHECK(!decode(bytes, 0));
  }
}

TEST_CASE("strings oracles: contains, starts_with and ends_with, of a string and of a column") {
  CHECK(difference(contains(kRows, "e"), Bools{false, true, null, true, false, false}) == "");
  CHECK(difference(starts_with(kRows, "t"), Bools{false, true, null, false, true, false}) == "");
  CHECK(difference(ends_with(kRows, "sé"), Bools{false, true, null, false, false, false}) == "");
  const Bools all{true, true, null, true, true, true};
  CHECK(difference(contains(kRows, ""), all) == "");
  CHECK(difference(starts_with(kRows, ""), all) == "");
  CHECK(difference(ends_with(kRows, ""), all) == "");

  const HostStrings inside{"Bello", "é", "e", "x", "", null};
  CHECK(difference(contains(kRows, inside), Bools{false, true, null, false, true, false}) == "");
  const HostStrings begin{"éa", "ti", "e", null, "tést strands", ""};
  CHECK(difference(starts_with(kRows, begin), Bools{false, true, null, false, true, true}) == "");
  const HostStrings end{"llo", "esé", "ti", "unleash", null, "x"};
  CHECK(difference(ends_with(kRows, end), Bools{true, true, null, false, false, false}) == "");
  CHECK(difference(contains({"\xc3\xa9", "aab"}, HostStrings{"\xa9", "ab"}), Bools{true, true}) ==
        "");
}

TEST_CASE("strings oracles: find and rfind give characters, between a start and a stop") {
  CHECK(difference(find(kRows, "é"), Numbers{1, 4, null, -1, 1, -1}) == "");
  CHECK(difference(rfind(kRows, "l"), Numbers{3, -1, null, 0, -1, -1}) == "");
  CHECK(difference(find(kRows, "s"), Numbers{-1, 3, null, 3, 2, -1}) == "");
  CHECK(difference(rfind(kRows, "s"), Numbers{-1, 3, null, 3, 11, -1}) == "");
  CHECK(difference(find(kRows, "s", 4), Numbers{-1, -1, null, -1, 5, -1}) == "");
  CHECK(difference(rfind(kRows, "s", 2, 11), Numbers{-1, 3, null, 3, 5, -1}) == "");
  // A text is found only if its last character is before the stop.
  CHECK(difference(find(kRows, "st", 0, 3), Numbers{-1, -1, null, -1, -1, -1}) == "");
  CHECK(difference(find(kRows, "st", 0, 4), Numbers{-1, -1, null, -1, 2, -1}) == "");
  CHECK(difference(find(kRows, "l", 2, 99), Numbers{2, -1, null, -1, -1, -1}) == "");
  CHECK(difference(rfind(kRows, "l", 0, 0), Numbers{-1, -1, null, -1, -1, -1}) == "");
  // These targets are empty.
  CHECK(difference(find(kRows, ""), Numbers{0, 0, null, 0, 0, 0}) == "");
  CHECK(difference(rfind(kRows, ""), Numbers{5, 5, null, 5, 12, 0}) == "");
  CHECK(difference(find(kRows, "", 5), Numbers{5, 5, null, 5, 5, -1}) == "");
  CHECK(difference(rfind(kRows, "", 0, 7), Numbers{5, 5, null, 5, 7, 0}) == "");
  CHECK(difference(rfind(kRows, "", 6), Numbers{-1, -1, null, -1, 12, -1}) == "");
  // These occurrences overlap or begin inside a character.
  CHECK(difference(rfind({"aaa", "xé\xa9"}, "aa"), Numbers{1, -1}) == "");
  CHECK(difference(find({"xé\xa9", "\xa9"}, "\xa9"), Numbers{1, 0}) == "");
}

TEST_CASE("strings oracles: count has no overlaps, tokens are counted as split has them") {
  CHECK(difference(count({"aaaa", "aba", "", null, "b"}, "aa"), Numbers{2, 0, 0, null, 0}) == "");
  CHECK(difference(count(kRows, "é"), Numbers{1, 1, null, 0, 1, 0}) == "");
  CHECK(difference(count(kRows, ""), Numbers{0, 0, null, 0, 0, 0}) == "");
  const HostStrings rows{"a::b", ":", "", null, "  ", " x y ", "::::"};
  CHECK(difference(count_tokens(rows, "::"), Numbers{2, 1, 1, null, 1, 1, 3}) == "");
  CHECK(difference(count_tokens(rows, ""), Numbers{1, 1, 0, null, 0, 2, 1}) == "");
}

TEST_CASE("strings oracles: copy_if_else takes either side's nulls, gather and select take rows") {
  const HostStrings other{"a", null, "c", "d", "", null};
  const Bools mask{true, false, true, null, false, true};
  CHECK(difference(copy_if_else(kRows, other, mask), {"Béllo", null, null, "d", "", ""}) == "");
  CHECK(difference(copy_if_else(kRows, Scalar("X X"), mask),
                   {"Béllo", "X X", null, "X X", "X X", ""}) == "");
  CHECK(difference(copy_if_else(Scalar("y"), other, mask), {"y", null, "y", "d", "", "y"}) == "");
  CHECK(difference(copy_if_else(Scalar(), other, mask), {null, null, null, "d", "", null}) == "");

  CHECK(difference(gather(kRows, {4, 0, 0, 2, 6, 5, 0xffffffffu}),
                   {"tést strands", "Béllo", "Béllo", null, null, "", null}) == "");
  CHECK(difference(gather({}, {0}), {null}) == "");
  CHECK(difference(select(kRows, mask), {"Béllo", null, ""}) == "");
}

TEST_CASE("strings oracles: slice is Python's, of characters") {
  const HostStrings rows{"a", "bc", "déf", "ghij", "", null};
  const auto sliced = [&](const Slice& s, const HostStrings& expected) {
    CHECK(difference(slice(rows, s), expected) == "");
  };
  sliced({}, rows);
  sliced({.start = 1}, {"", "c", "éf", "hij", "", null});
  sliced({.start = 1, .stop = 3}, {"", "c", "éf", "hi", "", null});
  sliced({.start = 2, .stop = 1}, {"", "", "", "", "", null});
  sliced({.start = -1}, {"a", "c", "f", "j", "", null});
  sliced({.start = 0, .stop = -1}, {"", "b", "dé", "ghi", "", null});
  sliced({.start = -3, .stop = -1}, {"", "b", "dé", "hi", "", null});
  sliced({.step = -1}, {"a", "cb", "féd", "jihg", "", null});
  sliced({.step = 2}, {"a", "b", "df", "gi", "", null});
  sliced({.start = 9, .stop = -2, .step = -1}, {"a", "c", "f", "j", "", null});
  sliced({.start = 9, .stop = -9, .step = -1}, {"a", "cb", "féd", "jihg", "", null});
  sliced({.start = -2, .step = -2}, {"", "b", "é", "ig", "", null});
  sliced({.start = INT32_MIN, .stop = INT32_MAX, .step = INT32_MAX},
         {"a", "b", "d", "g", "", null});
  sliced({.step = INT32_MIN}, {"a", "c", "f", "j", "", null});

  CHECK(difference(slice(rows, {0, 1, -2, 0, 1, 0}, {1, -1, 2, 0, 5, 1}),
                   {"a", "c", "dé", "", "", null}) == "");
  CHECK(difference(slice({"abc", "abc", "abc"}, {2, 1, 3}, {1, 9, -7}), {"", "bc", ""}) == "");
  CHECK(difference(slice({"数据x", "\x80\x80z"}, {.stop = 1}), {"数", "\x80\x80"}) == "");
}

TEST_CASE("strings oracles: strip takes whitespace or a set of characters off either side") {
  const HostStrings rows{"  a b\t\n", std::string("\0z\x1f", 3), "é", " ", "", null, "\x80 "};
  CHECK(difference(strip(rows), {"a b", "z", "é", "", "", null, "\x80"}) == "");
  CHECK(difference(strip(rows, Side::left), {"a b\t\n", "z\x1f", "é", "", "", null, "\x80 "}) ==
        "");
  CHECK(difference(strip(rows, Side::right),
                   {"  a b", std::string("\0z", 2), "é", "", "", null, "\x80"}) == "");
  CHECK(difference(strip({"éabé", "ééé", "xéx", "é\x80g"}, Side::both, "éa"),
                   {"b", "", "xéx", "é\x80g"}) == "");
  CHECK(difference(strip({"aba"}, Side::left, "a"), {"ba"}) == "");
  CHECK(difference(strip({" a "}, Side::both, "a"), {" a "}) == "");
}

TEST_CASE("strings oracles: concatenate joins rows, and replaces nulls or gives null") {
  const std::vector<HostStrings> columns{{"eee", null, null, "", "aa", "bbb", "x"},
                                         {"xyz", null, "d", "éa", "", null, null},
                                         {"q", "", "s", "t", "u", null, "z"}};
  const auto joined = [&](const Joint& joint, const HostStrings& expected) {
    CHECK(difference(concatenate(columns, joint), expected) == "");
  };
  joined({}, {"eeexyzq", null, null, "éat", "aau", null, null});
  joined({.separator = "+"}, {"eee+xyz+q", null, null, "+éa+t", "aa++u", null, null});
  joined({.separator = "+", .replacement = ""},
         {"eee+xyz+q", "++", "+d+s", "+éa+t", "aa++u", "bbb++", "x++z"});
  joined({.separator = "+", .replacement = "_"},
         {"eee+xyz+q", "_+_+", "_+d+s", "+éa+t", "aa++u", "bbb+_+_", "x+_+z"});
  joined({.separator = "+", .replacement = "", .separator_on_nulls = false},
         {"eee+xyz+q", "", "d+s", "+éa+t", "aa++u", "bbb", "x+z"});
  joined({.separator = "+", .replacement = "_", .separator_on_nulls = false},
         {"eee+xyz+q", "__", "_d+s", "+éa+t", "aa++u", "bbb__", "x_+z"});
  joined({.separator = "+", .separator_on_nulls = false},
         {"eee+xyz+q", null, null, "+éa+t", "aa++u", null, null});
  CHECK(difference(concatenate({{"a", null}}, {.separator = "+"}), {"a", null}) == "");
}

void check_split(const HostStrings& rows, std::string_view delimiter, bool rest,
                 const std::vector<HostStrings>& expected) {
  const std::vector<HostStrings> columns = split(rows, delimiter, expected.size(), rest);
  REQUIRE(columns.size() == expected.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    CAPTURE(j);
    CHECK(difference(columns[j], expected[j]) == "");
  }
}

TEST_CASE("strings oracles: split by a delimiter keeps empty tokens") {
  const HostStrings rows{"a::b::c", null, "", "w:::x", "y::::z", "::", "no", "é::"};
  check_split(rows, "::", false,
              {{"a", null, "", "w", "y", "", "no", "é"},
               {"b", null, null, ":x", "", "", null, ""},
               {"c", null, null, null, "z", null, null, null},
               {null, null, null, null, null, null, null, null}});
  check_split(
      rows, "::", false,
      {{"a", null, "", "w", "y", "", "no", "é"}, {"b", null, null, ":x", "", "", null, ""}});
  check_split(
      rows, "::", true,
      {{"a", null, "", "w", "y", "", "no", "é"}, {"b::c", null, null, ":x", "::z", "", null, ""}});
  check_split(rows, "::", true, {rows});
  // A delimiter does not reach into the next row.
  check_split({"a:", ":b"}, "::", false, {{"a:", ":b"}});
}

TEST_CASE("strings oracles: split by whitespace has no empty tokens") {
  const HostStrings rows{"Béllo tiesé", null, "a\t\nb", "  ", " a  b ", "", "ab cd  e "};
  check_split(rows, "", false,
              {{"Béllo", null, "a", null, "a", null, "ab"},
               {"tiesé", null, "b", null, "b", null, "cd"},
               {null, null, null, null, null, null, "e"}});
  check_split(rows, "", false, {{"Béllo", null, "a", null, "a", null, "ab"}});
  check_split(rows, "", true,
              {{"Béllo", null, "a", null, "a", null, "ab"},
               {"tiesé", null, "b", null, "b ", null, "cd  e "}});
  check_split(rows, "", true, {{"Béllo tiesé", null, "a\t\nb", null, "a  b ", null, "ab cd  e "}});
}

TEST_CASE(
    "strings oracles: case of ASCII, and of a table that may change how many bytes there are") {
  const HostStrings rows{"aZ[`{@09", "straßeé", null, "", "\xc1\xa1z\x80\xff\xc3", "é\xa9x"};
  CHECK(difference(to_upper(rows),
                   {"AZ[`{@09", "STRAßEé", null, "", "\xc1\xa1Z\x80\xff\xc3", "é\xa9X"}) == "");
  CHECK(difference(to_lower({"aZ[`{@09É", null}), {"az[`{@09É", null}) == "");
  const std::vector<CaseMapping> upper{
      {'a', {'A'}}, {0xdf, {'S', 'S'}}, {0xe9, {0xc9}}, {0x1f600, {0x149, 0x2c, 0x6570}}};
  CHECK(difference(map_case(rows, upper),
                   {"AZ[`{@09", "strASSeÉ", null, "", "\xc1\xa1z\x80\xff\xc3", "É\xa9x"}) == "");
  CHECK(difference(map_case({"a😀", "\xe6\xdf"}, upper), {"Aŉ,数", "\xe6\xdf"}) == "");
}

TEST_CASE(
    "strings oracles: order is of unsigned bytes, sorts are stable, nulls are first or last") {
  CHECK(compare("", "") == 0);
  CHECK(compare("a", "") > 0);
  CHECK(compare("ab", "abc") < 0);
  CHECK(compare("b", "abc") > 0);
  CHECK(compare("z", "\x80") < 0);
  CHECK(compare("數", "😀") < 0);
  CHECK(compare(std::string_view("\0", 1), "") > 0);
  const HostStrings rows{"b", null, "é", "", "b", "ba", null, "z"};
  CHECK(argsort(rows) == Places{3, 0, 4, 5, 7, 2, 1, 6});
  CHECK(argsort(rows, Nulls::first) == Places{1, 6, 3, 0, 4, 5, 7, 2});
  CHECK(argsort(rows, Nulls::last, true) == Places{2, 7, 5, 0, 4, 3, 1, 6});
  CHECK(argsort(rows, Nulls::first, true) == Places{1, 6, 2, 7, 5, 0, 4, 3});
  CHECK(difference(sort(rows), {"", "b", "b", "ba", "z", "é", null, null}) == "");

  const Dictionary dictionary = dictionary_encode(rows);
  CHECK(dictionary.keys == std::vector<std::string>{"", "b", "ba", "z", "é"});
  using Codes = std::vector<std::optional<std::uint32_t>>;
  CHECK(difference(dictionary.codes, Codes{1, null, 4, 0, 1, 2, null, 3}) == "");
  CHECK(dictionary_encode({null}).keys.empty());
}

TEST_CASE("strings oracles: redact, and where its chain of operations differs") {
  const HostStrings names{"John Doe", "Jane Doe", "Cher",  "",   " Lead",  "Two  gaps", "Trail ",
                          null,       "Zoë Ü",    "A B C", null, "Tab\tX", "x y"};
  const HostStrings visibilities{"public",  "private", "public", "public",    "public",
                                 "public",  "public",  "public", "notpublic", "public",
                                 "private", "public",  null};
  CHECK(difference(redact_by_kernel(names, visibilities),
                   {"D John", "X X", "C Cher", " ", "L ", "  Two", " Trail", null, "X X", "B A",
                    null, "T Tab\tX", null}) == "");
  CHECK(difference(redact_by_chain(names, visibilities),
                   {"D John", "X X", null, null, null, "g Two", null, null, "Ü Zoë", "B A", "X X",
                    "X Tab", "X X"}) == "");
}

}  // namespace
}  // namespace vkprims::test

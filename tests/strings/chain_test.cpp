// Chains of operations on strings.
#include "support/support.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {

TEST_CASE("strings: the redact chain, each operation one call") {
  const auto names =
      upload_strings(context(), HostStrings{"John Doe", "Robert Shawna", "Ryan  Nikki", "Cher",
                                            std::nullopt, "", "Zoé Ünal"});
  const auto vis =
      upload_strings(context(), std::vector<std::string>{"public", "private", "public", "public",
                                                         "public", "private", "public"});
  StringColumn result;
  context().run([&](Recorder& r) {
    auto allowed = strings::contains(r, vis, "public");
    auto redacted = strings::copy_if_else(r, names, "X X", allowed);
    auto parts = strings::split(r, redacted, {.max_columns = 2});
    auto initial = strings::slice(r, parts[1], {.start = 0, .stop = 1});
    result = strings::concatenate(r, {initial, parts[0]}, {.separator = " "});
  });
  const HostStrings expected{"D John", "X X", "N Ryan", std::nullopt, std::nullopt, "X X", "Ü Zoé"};
  CHECK(download_strings(context(), result) == expected);
}

TEST_CASE("strings: what is found, counted, stripped and gathered") {
  const auto in =
      upload_strings(context(), HostStrings{"  abc ", "ßaxa", "", std::nullopt, "xx", "ab漢ab"});
  const auto indices = context().upload(std::vector<std::uint32_t>{5, 0, 3, 9, 1, 1});
  const auto starts = context().upload(std::vector<std::int32_t>{1, 0, 2, 0, -1, 2});
  const auto stops = context().upload(std::vector<std::int32_t>{-1, 2, 1, 9, 1, 3});
  Buffer<std::int32_t> first, last, characters, bytes, number, tokens;
  StringColumn stripped, gathered, without_x, reversed, sliced;
  BitColumn begins, ends;
  context().run([&](Recorder& r) {
    first = strings::find(r, in, "a");
    last = strings::rfind(r, in, "a");
    characters = strings::count_characters(r, in);
    bytes = strings::count_bytes(r, in);
    number = strings::count(r, in, "a");
    tokens = strings::count_tokens(r, in);
    reversed = strings::slice(r, in, {.step = -1});
    sliced = strings::slice(r, in, starts, stops);
    stripped = strings::strip(r, in);
    without_x = strings::strip(r, in, {.side = strings::StripSide::left, .characters = "xß"});
    gathered = strings::gather(r, in, indices, 100);
    begins = strings::starts_with(r, in, "ab");
    ends = strings::ends_with(r, in, "ab");
  });
  CHECK(context().download(first) == std::vector<std::int32_t>{2, 1, -1, 0, -1, 0});
  CHECK(context().download(last) == std::vector<std::int32_t>{2, 3, -1, 0, -1, 3});
  CHECK(context().download(characters) == std::vector<std::int32_t>{6, 4, 0, 0, 2, 5});
  CHECK(context().download(bytes) == std::vector<std::int32_t>{6, 5, 0, 0, 2, 7});
  CHECK(context().download(number) == std::vector<std::int32_t>{1, 2, 0, 0, 0, 2});
  CHECK(context().download(tokens) == std::vector<std::int32_t>{1, 1, 0, 0, 1, 1});
  CHECK(download_strings(context(), reversed) ==
        HostStrings{" cba  ", "axaß", "", std::nullopt, "xx", "ba漢ba"});
  CHECK(download_strings(context(), sliced) ==
        HostStrings{" abc ", "ßa", "", std::nullopt, "x", "漢"});
  CHECK(download_strings(context(), stripped) ==
        HostStrings{"abc", "ßaxa", "", std::nullopt, "xx", "ab漢ab"});
  CHECK(download_strings(context(), without_x) ==
        HostStrings{"  abc ", "axa", "", std::nullopt, "", "ab漢ab"});
  CHECK(download_strings(context(), gathered) ==
        HostStrings{"ab漢ab", "  abc ", std::nullopt, std::nullopt, "ßaxa", "ßaxa"});
  using Bits = std::vector<std::optional<bool>>;
  CHECK(download_bits(context(), begins) == Bits{false, false, false, std::nullopt, false, true});
  CHECK(download_bits(context(), ends) == Bits{false, false, false, std::nullopt, false, true});
}

TEST_CASE(
    "strings: results know what no row is longer than, if the columns that they are made of do") {
  const auto in = upload_strings(context(), HostStrings{"ß", "abc ßßß", std::nullopt, ""});
  const auto other = upload_strings(context(), HostStrings{"", "x", "some words", "y"});
  CHECK(in.longest_row_bytes() == 10);
  std::vector<StringColumn> results;
  context().run([&](Recorder& r) {
    const auto mask = strings::contains(r, other, "x");
    results.push_back(strings::to_upper(r, in));
    results.push_back(strings::slice(r, in, {.start = 1}));
    results.push_back(strings::strip(r, in));
    results.push_back(strings::copy_if_else(r, in, other, mask));
    results.push_back(strings::copy_if_else(r, in, "a text that is longer than all rows", mask));
    results.push_back(strings::concatenate(r, {in, other, in}, {.separator = " and "}));
    results.push_back(strings::concatenate(
        r, {in, other}, {.separator = "", .null_replacement = "nothing was here before"}));
    results.push_back(strings::select(r, other, mask).rows);
    for (auto& part : strings::split(r, other, {.max_columns = 2}))
      results.push_back(std::move(part));
  });
  for (std::size_t i = 0; i < results.size(); ++i) {
    CAPTURE(i);
    std::uint64_t longest = 0;
    for (const auto& row : download_strings(context(), results[i])) {
      longest = std::max<std::uint64_t>(longest, row ? row->size() : 0);
    }
    CHECK(results[i].longest_row_bytes() != 0);
    CHECK(results[i].longest_row_bytes() >= longest);
  }
  // If the longest row of an input is unknown, that of the result is unknown, too.
  StringColumn unknown = upload_strings(context(), HostStrings{"a", "b", "c", "d"}), joined;
  unknown.set_longest_row_bytes(0);
  context().run([&](Recorder& r) { joined = strings::concatenate(r, {in, unknown}); });
  CHECK(joined.longest_row_bytes() == 0);
}

}  // namespace vkprims::test

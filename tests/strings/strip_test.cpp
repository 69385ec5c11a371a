// Tests of strings::strip.
#include "vkprims/strings/strip.hpp"

#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

using strings::StripSide;

constexpr StripSide kSides[] = {StripSide::both, StripSide::left, StripSide::right};

oracle::strings::Side side_of(StripSide side) {
  using oracle::strings::Side;
  return side == StripSide::both ? Side::both : side == StripSide::left ? Side::left : Side::right;
}

void check_strip(const HostStrings& rows, StripSide side, std::string_view characters,
                 const Layout& layout) {
  const strings::StripDesc desc{
      .side = side, .characters = characters, .schedule = layout.schedule};
  const Device& d = device();
  const PlacedColumn column(rows, layout.in);
  check_rows(oracle::strings::strip(rows, side_of(side), characters), layout.to,
             strings::strip_scratch(d, desc, rows.size(), most_chars(rows)),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_strip(cmd, d, desc,
                                            {.in = column.view(), .out = out, .scratch = scratch});
             });
}

}  // namespace

TEST_CASE("strings strip: rows of every shape, alignment, number and length") {
  const std::string_view sets[] = {"", "a-", "-éb😀", ""};
  std::size_t i = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    check_strip(rows, StripSide::both, sets[i++ % 4], layout);
  });
}

TEST_CASE("strings strip: each side, sets of characters of any size and of broken ones") {
  HostStrings rows = edge_strings();
  const HostStrings ends{" \x80z\x80 ", "\x80 z \x80", "  ",        "\xc3\xa9zé",
                         "éÉßé",        "é\x80",       "\x80é\x80", "\xc3é\xc3",
                         "a\xff\x80",   "aab",         "baa",       "\t\n x\r y\v "};
  const HostStrings random = random_strings(400, 1, {.max_bytes = 6, .nulls = 10, .invalid = 10});
  for (const HostStrings& more : {ends, random}) rows.insert(rows.end(), more.begin(), more.end());
  std::string long_set(300, 'q');
  long_set += "數a";
  const std::string_view sets[] = {"",     " ",    "a",     "abcABC:,0", "é",       "éÉß",
                                   "\x80", "\xff", "é\x80", "\xc3",      {"\0", 1}, long_set};
  for (const StripSide side : kSides) {
    if (!exhaustive() && side == StripSide::right) continue;
    for (const std::string_view set : sets) {
      CAPTURE(static_cast<int>(side));
      CAPTURE(shown(set));
      check_strip(rows, side, set, layout(set.size(), Schedule::look_back));
    }
  }
}

TEST_CASE("strings strip: whitespace is ASCII, and that of Unicode a set that is at hand") {
  // This is White_Space of Unicode's PropList.txt.
  std::vector<std::uint32_t> spaces{0x20,   0x85,   0xa0,   0x1680, 0x2028,
                                    0x2029, 0x202f, 0x205f, 0x3000};
  for (std::uint32_t c = 0x09; c <= 0x0d; ++c) spaces.push_back(c);
  for (std::uint32_t c = 0x2000; c <= 0x200a; ++c) spaces.push_back(c);
  HostStrings rows, bare, trimmed;
  for (std::uint32_t c = 1; c <= 0x3001; ++c) {
    const bool is_space = std::find(spaces.begin(), spaces.end(), c) != spaces.end();
    // Of all other characters the test takes the neighbours of spaces and some more.
    if (!is_space && c > 0x21 && c % 97 && c != 0x84 && c != 0x86 && c != 0x200b) continue;
    std::string text;
    if (c < 0x80) {
      text += static_cast<char>(c);
    } else {
      if (c < 0x800) text += static_cast<char>(0xc0 | c >> 6);
      if (c >= 0x800) text += static_cast<char>(0xe0 | c >> 12);
      if (c >= 0x800) text += static_cast<char>(0x80 | (c >> 6 & 0x3f));
      text += static_cast<char>(0x80 | (c & 0x3f));
    }
    rows.push_back(text + "a " + text + "b" + text);
    trimmed.push_back(is_space ? "a " + text + "b" : *rows.back());
    bare.push_back(c <= 0x20 ? "a " + text + "b" : *rows.back());
  }
  const auto column = upload_strings(context(), rows);
  std::optional<StringColumn> by_default, by_unicode;
  context().run([&](Recorder& r) {
    by_default = strings::strip(r, column);
    by_unicode = strings::strip(r, column, {.characters = strings::kUnicodeWhiteSpace});
  });
  CHECK(difference(download_strings(context(), *by_default), bare) == "");
  CHECK(difference(download_strings(context(), *by_unicode), trimmed) == "");
}

TEST_CASE("strings strip: a small column by both schedules") {
  for (const Schedule schedule : kRopeSchedules) {
    check_strip(random_strings(600, 1, {.nulls = 10, .spaces = 60}), StripSide::both, "",
                layout(3, schedule));
  }
}

TEST_CASE("strings strip: smoke" * doctest::test_suite("smoke")) {
  check_strip(random_strings(600, 1, {.nulls = 10, .spaces = 60}), StripSide::both, "",
              layout(3, Schedule::look_back));
}

}  // namespace vkprims::test

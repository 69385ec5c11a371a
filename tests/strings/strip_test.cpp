#include "vkprims/strings/strip.hpp"

#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"

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
             strings::strip_scratch(d, desc, rows.size()),
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
    if (subset() && side == StripSide::right) continue;
    for (const std::string_view set : sets) {
      CAPTURE(static_cast<int>(side));
      CAPTURE(shown(set));
      check_strip(rows, side, set, layout(set.size(), Schedule::look_back));
    }
  }
}

TEST_CASE("strings strip: a small column by both schedules") {
  for (const Schedule schedule : kRopeSchedules) {
    check_strip(random_strings(600, 1, {.nulls = 10, .spaces = 60}), StripSide::both, "",
                layout(3, schedule));
  }
}

}  // namespace vkprims::test

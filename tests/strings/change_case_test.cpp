// Tests of strings::change_case.
#include "oracles/strings/case.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/call.hpp"
#include "strings/case_mappings.hpp"
#include "strings/case_table.hpp"
#include "strings/check.hpp"
#include "strings/data.hpp"
#include "strings/difference.hpp"
#include "strings/long_rows.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

using oracle::strings::CaseMapping;
using strings::Case;

std::vector<CaseMapping> mappings(std::span<const strings::CaseRange> ranges,
                                  std::span<const strings::CaseExpansion> expansions) {
  std::vector<CaseMapping> table;
  for (const auto& range : ranges) {
    for (std::uint32_t x = range.first; x <= range.last; x += range.step) {
      table.push_back({x, {x + static_cast<std::uint32_t>(range.delta)}});
    }
  }
  for (const auto& e : expansions) table.push_back({e.from, {e.to[0], e.to[1], e.to[2]}});
  return table;
}

const std::vector<CaseMapping>& mappings(Case to) {
  static const auto kUpper = mappings(strings::kUpperRanges, strings::kUpperExpansions);
  static const auto kLower = mappings(strings::kLowerRanges, strings::kLowerExpansions);
  return to == Case::upper ? kUpper : kLower;
}

// What a call left in scratch.
struct Trace {
  std::uint32_t fallbacks;  // tiles that others recomputed
  bool again;               // the bytes had to be made again, character by character
};

Trace check_case(const HostStrings& rows, const strings::ChangeCaseDesc& desc,
                 const Placement& in = {}, const Placement& to = {}, const Device& d = device()) {
  const PlacedColumn column(rows, in);
  const PlacedResult result(oracle::strings::map_case(rows, mappings(desc.to)), to.width,
                            to.chars_at);
  const bool nullable = PlacedColumn::nullable(rows);
  const DirtyScratch scratch(strings::change_case_scratch(d, desc, rows.size(), most_chars(rows)));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_change_case(
        cmd, d, desc,
        {.in = column.view(), .out = result.out(nullable), .scratch = scratch.get()}));
  });
  result.check(nullable);
  const strings::LongRowTables tables({.sums = &vkprims::spirv::strings_unit_sums_growth},
                                      column.view().chars.bytes, desc.longest_row_bytes);
  const std::uint64_t arguments = strings::argument_bytes(strings::case_table(desc.to).size(), 0);
  const std::uint64_t state = (arguments + tables.zero_bytes()) / 4;
  const auto words = scratch.words(state + 16);
  return {words[state + VKP_LOOKBACK_FALLBACKS], words[VKP_STRINGS_UNFIT_OFFSET / 4] != 0};
}

// Calls f with both cases and both schedules.
template <class F>
void for_each_desc(F&& f) {
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (const Case to : {Case::upper, Case::lower}) {
      CAPTURE(static_cast<int>(schedule));
      CAPTURE(static_cast<int>(to));
      f(strings::ChangeCaseDesc{.to = to, .schedule = schedule});
    }
  }
}

}  // namespace

TEST_CASE("strings change_case: letters of many scripts, and those that become several") {
  const HostStrings rows{"Hello, World 42 [`{@",
                         "straße ŉ ǰ",
                         "ÀÉÎÕÜÿ µ ſ",
                         "Σίσυφος ΐ ᾳ",
                         "Привет Ѐѝ",
                         "ﬃ ﬗ ﬁn",
                         "İstanbul ıi",
                         "Ǆ ǅ ǆ K Å Ω",
                         "ა Ა Ꭰ ꭰ ᏸ",
                         "Աբգ և",
                         "ａＢｃ",
                         "数据 😀 𐐨 ˢ",
                         "ⓐⒷ ⅷ Ⅷ",
                         "ɐ Ɐ ꞑ ẞ ȿ",
                         std::nullopt,
                         ""};
  const HostStrings upper{"HELLO, WORLD 42 [`{@",
                          "STRASSE ʼN J̌",
                          "ÀÉÎÕÜŸ Μ S",
                          "ΣΊΣΥΦΟΣ \u0399\u0308\u0301 ΑΙ",
                          "ПРИВЕТ ЀЍ",
                          "FFI ՄԽ FIN",
                          "İSTANBUL II",
                          "Ǆ Ǆ Ǆ K Å Ω",
                          "Ა Ა Ꭰ Ꭰ Ᏸ",
                          "ԱԲԳ ԵՒ",
                          "ＡＢＣ",
                          "数据 😀 𐐨 ˢ",
                          "ⒶⒷ Ⅷ Ⅷ",
                          "Ɐ Ɐ Ꞑ ẞ Ȿ",
                          std::nullopt,
                          ""};
  const HostStrings lower{"hello, world 42 [`{@",
                          "straße ŉ ǰ",
                          "àéîõüÿ µ ſ",
                          "σίσυφος ΐ ᾳ",
                          "привет ѐѝ",
                          "ﬃ ﬗ ﬁn",
                          "i̇stanbul ıi",
                          "ǆ ǆ ǆ k å ω",
                          "ა ა ꭰ ꭰ ᏸ",
                          "աբգ և",
                          "ａｂｃ",
                          "数据 😀 𐐨 ˢ",
                          "ⓐⓑ ⅷ ⅷ",
                          "ɐ ɐ ꞑ ß ȿ",
                          std::nullopt,
                          ""};
  const StringColumn in = upload_strings(context(), rows);
  StringColumn up, down;
  context().run([&](Recorder& r) {
    up = strings::to_upper(r, in);
    down = strings::to_lower(r, in);
  });
  CHECK(difference(download_strings(context(), up), upper) == "");
  CHECK(difference(download_strings(context(), down), lower) == "");
  CHECK(up.byte_bound() == 3 * in.byte_bound());
}

TEST_CASE("strings change_case: every code point, in rows of one and in rows of many") {
  HostStrings rows, joined;
  for (std::uint32_t x = 1; x < 0x11000; ++x) {
    if (x >= 0xd800 && x < 0xe000) continue;
    if (x % 64 == 0 || joined.empty()) joined.emplace_back("");
    *joined.back() += oracle::strings::encode(x);
    // Few of the others change, and so many rows take long.
    if (x < 0x2200 || x >= 0xa600) rows.push_back(oracle::strings::encode(x));
  }
  for (const Case to : {Case::upper, Case::lower}) {
    check_case(rows, {.to = to});
    check_case(joined, {.to = to});
  }
}

TEST_CASE("strings change_case: rows of all shapes, whatever their bytes") {
  for_each_desc([](const strings::ChangeCaseDesc& desc) {
    std::uint32_t seed = 1;
    for (const StringsShape& shape : strings_shapes()) {
      CAPTURE(seed);
      check_case(random_strings(1200, seed, shape), desc, {}, {.chars_at = seed % 4});
      ++seed;
    }
    check_case(edge_strings(), desc);
  });
}

TEST_CASE(
    "strings change_case: columns and results that begin anywhere, offsets of 32 and 64 bits") {
  const HostStrings rows = random_strings(300, 2, {.max_bytes = 90, .nulls = 20, .invalid = 5});
  for_each_desc([&](const strings::ChangeCaseDesc& desc) {
    for (std::uint64_t at = 0; at < 5; ++at) {
      for (std::uint64_t to = 0; to < 4; ++to) {
        CAPTURE(at);
        CAPTURE(to);
        check_case(rows, desc,
                   {.width = at % 2 ? IndexWidth::u64 : IndexWidth::u32,
                    .chars_at = at,
                    .rows_before = at * 13},
                   {.width = to % 2 ? IndexWidth::u64 : IndexWidth::u32, .chars_at = to});
      }
    }
  });
  check_case(at_every_alignment(edge_strings()), {});
}

TEST_CASE("strings change_case: characters across the ends of parts, whole and cut") {
  HostStrings rows;
  for (const char* unit : {"ß", "ŉ", "ΐ", "ﬃ", "😀", "\xe1\xbe\x80", "\xe1\xbe", "\xe1", "\xbe",
                           "\xed\xa0\x80", "\xc1\xa1", "\xe0\x81\xa1", "\xf0\x9f\x98", "\xff"}) {
    for (std::size_t before = 58; before <= 66; ++before) {
      for (const std::size_t after : {0, 1, 70}) {
        rows.push_back(std::string(before, 'a') + unit + unit + std::string(after, 'Z'));
        rows.push_back(std::string(before + 64, '\xbe') + unit + std::string(after, '\xbe'));
      }
    }
  }
  for_each_desc([&](const strings::ChangeCaseDesc& desc) { check_case(rows, desc); });
}

TEST_CASE(
    "strings change_case: numbers of rows around the edges of tiles, with long rows among them") {
  std::string grows;  // three bytes from each letter, and windows fill unevenly
  for (int i = 0; i < 9000; ++i) grows += i % 7 == 0 ? "x" : "ΐ";
  for_each_desc([&](const strings::ChangeCaseDesc& desc) {
    for (const std::size_t n : {0, 1, 31, 32, 33, 511, 512, 513, 1024, 5000}) {
      CAPTURE(n);
      const std::uint32_t nulls = n % 2 == 1 ? 20 : 0;
      HostStrings rows = random_strings(n, 3, {.nulls = nulls});
      if (n > 40) rows[37] = std::string(30'000, 'x');
      if (n > 512) rows[511] = std::string(8191, 'y');
      if (n > 513) rows[512] = grows;
      if (n > 1024) rows[1025] = std::string(100'001, 'Z');
      check_case(rows, desc, {}, {.chars_at = n % 3});
    }
  });
}

TEST_CASE("strings change_case: small rows that grow to more than a window") {
  HostStrings rows(2000, "ΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐΐa");
  rows[100] = std::nullopt;
  rows[101] = "";
  for_each_desc([&](const strings::ChangeCaseDesc& desc) { check_case(rows, desc); });
}

TEST_CASE("strings change_case: silent and shuffled tiles change nothing") {
  if (subset()) return;
  const HostStrings rows = random_strings(40'000, 5, {.nulls = 10, .invalid = 5});
  Tuning tuning;
  tuning.workgroup_size = 128;
  tuning.spin_limit = 8;
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT | VKP_LOOKBACK_SHUFFLED, +VKP_LOOKBACK_FORCED}) {
    const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = 2});
    CHECK(check_case(rows, {.schedule = Schedule::look_back}, {}, {}, d).fallbacks > 0);
  }
}

TEST_CASE("strings change_case: what there is no room for is left out, and reported") {
  const HostStrings rows = random_strings(700, 4, {.max_bytes = 100});
  const HostStrings expected = oracle::strings::map_case(rows, mappings(Case::upper));
  const std::uint64_t needed = PlacedResult::bytes_of(expected);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (const std::uint64_t too_few : {1, 4000, 1'000'000}) {
      const PlacedColumn column(rows, {});
      const PlacedResult result(expected, IndexWidth::u32, 1, too_few);
      const Guarded report(std::vector<DeviceReport>(1));
      const strings::ChangeCaseDesc desc{.schedule = schedule};
      const DirtyScratch scratch(
          strings::change_case_scratch(device(), desc, rows.size(), most_chars(rows)));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(strings::record_change_case(cmd, device(), desc,
                                                   {.in = column.view(),
                                                    .out = result.out(false),
                                                    .report = report.view(),
                                                    .scratch = scratch.get()}));
      });
      result.check(false);
      CHECK(report.read<DeviceReport>()[0].needed == needed);
    }
  }
}

// Returns rows of letters that take as many bytes in the other case.
HostStrings even_rows(std::uint64_t n, std::uint32_t seed) {
  const std::vector<std::string> letters = {"a", "Z", "m", "é",  "Ø", "ж", "Ω", "ա",
                                            "ꙁ", "ỹ", "Ⓐ", "數", "😀", "÷", "~", "@"};
  std::mt19937_64 engine(seed);
  HostStrings rows(n);
  for (auto& row : rows) {
    if (engine() % 16 == 0) continue;
    row.emplace();
    const bool ascii = engine() % 2 == 0;
    for (std::uint64_t k = engine() % 40; k != 0; --k) {
      *row += letters[engine() % (ascii ? 3 : letters.size())];
    }
  }
  return rows;
}

TEST_CASE("strings change_case: characters that keep their length are changed where they are") {
  for_each_desc([](const strings::ChangeCaseDesc& desc) {
    for (std::uint64_t i = 0; i < 16; ++i) {
      CAPTURE(i);
      const Placement in{.width = i % 2 ? IndexWidth::u64 : IndexWidth::u32,
                         .chars_at = i % 5,
                         .rows_before = i * 13 % 64,
                         .garbage_in_nulls = false};
      const std::uint64_t n = i == 0 ? 0 : i == 1 ? 1 : 200 * i;
      CHECK_FALSE(check_case(even_rows(n, 1), desc, in, {.chars_at = i / 4}).again);
    }
  });
}

TEST_CASE("strings change_case: one row that is otherwise, anywhere, has all of them made again") {
  struct Other {
    std::optional<std::string> first, second;  // two neighbours
  };
  const Other others[] = {{"straße", "x"}, {"\xc3", "\xa9"}, {"a", "\xbf"}, {"ı", "İ"}};
  for_each_desc([&](const strings::ChangeCaseDesc& desc) {
    for (const Other& other : others) {
      for (const std::uint64_t at : {0, 77, 1200, 1998}) {
        CAPTURE(at);
        HostStrings rows = even_rows(2000, 2);
        rows[at] = other.first;
        rows[at + 1] = other.second;
        const bool again = check_case(rows, desc, {.garbage_in_nulls = false}).again;
        CHECK((again || (desc.to == Case::lower && *other.first == "straße")));
      }
    }
    HostStrings nulls = even_rows(100, 3);
    nulls[50] = std::nullopt;
    CHECK(check_case(nulls, desc).again);  // null rows with bytes
  });
}

TEST_CASE("strings change_case: a case that there is not is refused") {
  const PlacedColumn column({"a"}, {});
  const PlacedResult result({"A"}, IndexWidth::u32, 0);
  const strings::ChangeCaseDesc desc{.to = static_cast<Case>(2)};
  const DirtyScratch scratch(strings::change_case_scratch(device(), desc, 1, 1));
  expect_error(Status::invalid_argument, {"strings::change_case", "to"}, [&](VkCommandBuffer cmd) {
    return strings::record_change_case(
        cmd, device(), desc,
        {.in = column.view(), .out = result.out(false), .scratch = scratch.get()});
  });
}

TEST_CASE("strings change_case: smoke" * doctest::test_suite("smoke")) {
  check_case(random_strings(600, 1, {.nulls = 10}), {.to = Case::upper});
}

}  // namespace vkprims::test

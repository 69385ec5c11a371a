// What all operations with string results have in common: room, hostile offsets and look-backs.
#include "blocks/lookback_setup.hpp"
#include "oracles/strings/copying.hpp"
#include "oracles/strings/pieces.hpp"
#include "oracles/strings/search.hpp"
#include "strings/hostile.hpp"
#include "strings/layouts.hpp"
#include "vkprims/strings/concatenate.hpp"
#include "vkprims/strings/find.hpp"
#include "vkprims/strings/gather.hpp"
#include "vkprims/strings/slice.hpp"
#include "vkprims/strings/strip.hpp"

namespace vkprims::test {
namespace {

// Records a slice that takes all characters.
Status record_copy(VkCommandBuffer cmd, const Device& d, Schedule schedule,
                   const strings::SliceBuffers& buffers) {
  return strings::record_slice(cmd, d, {.schedule = schedule}, buffers);
}

DeviceReport read_report(const Guarded& report) {
  const auto words = report.read<std::uint64_t>();
  DeviceReport result;
  result.code = static_cast<std::uint32_t>(words[0]);
  result.count = words[1];
  result.first_index = words[2];
  result.needed = words[3];
  return result;
}

}  // namespace

TEST_CASE("strings rope: too little room is reported with what is needed, and nothing is past it") {
  const Device& d = device();
  const HostStrings rows = random_strings(3 * strings_tile(d) + 7, 1, {.nulls = 10});
  const std::uint64_t bytes = PlacedResult::bytes_of(rows);
  const PlacedColumn column(rows, {.rows_before = 3});
  for (const Schedule schedule : kRopeSchedules) {
    for (const std::uint64_t too_few :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, bytes / 2, bytes - 3, bytes}) {
      CAPTURE(too_few);
      const PlacedResult result(rows, width_of(too_few), too_few % 4, too_few);
      const Guarded report(std::vector<std::uint64_t>(4, 0));
      const DirtyScratch scratch(strings::slice_scratch(d, {}, rows.size(), most_chars(rows)));
      for (const bool reported : {false, true}) {
        run([&](VkCommandBuffer cmd) {
          throw_if_error(record_copy(cmd, d, schedule,
                                     {.in = column.view(),
                                      .out = result.out(true),
                                      .report = reported ? report.view() : BufferView{},
                                      .scratch = scratch.get()}));
        });
        result.check(true);
      }
      const DeviceReport found = read_report(report);
      CHECK(found.code == (too_few ? DeviceReport::capacity_exceeded : DeviceReport::ok));
      CHECK(found.needed == (too_few ? bytes : 0));
      CHECK(found.count == too_few);
    }
  }
}

TEST_CASE("strings rope: without room for bytes there are offsets, validity and what is needed") {
  const Device& d = device();
  const HostStrings rows = random_strings(900, 2, {.nulls = 10});
  const PlacedColumn column(rows, {});
  const PlacedResult result(rows, IndexWidth::u64, 0, PlacedResult::bytes_of(rows));
  StringColumnOut out = result.out(true);
  out.chars = {};
  const Guarded report(std::vector<std::uint64_t>(4, 0));
  const DirtyScratch scratch(strings::slice_scratch(d, {}, rows.size(), most_chars(rows)));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_copy(
        cmd, d, Schedule::automatic,
        {.in = column.view(), .out = out, .report = report.view(), .scratch = scratch.get()}));
  });
  result.check(true);
  CHECK(read_report(report).needed == PlacedResult::bytes_of(rows));
}

TEST_CASE("strings rope: a tile of more bytes than 32 bits number") {
  const Device& d = device();
  std::string large((std::uint64_t{5} << 30) / strings_tile(d), 'x');
  for (std::size_t i = 0; i < 200; ++i) large[i] = static_cast<char>('a' + i % 23);
  const PlacedColumn column({large, "small", std::nullopt, ""}, {});
  const std::uint64_t n = strings_tile(d) + 9, room = 101;
  std::vector<std::uint32_t> indices(n, 0);
  indices[0] = 1;
  indices[2] = 2;
  indices[strings_tile(d) - 2] = 3;
  indices[n - 1] = 1;
  const Guarded places(indices);
  std::vector<std::uint64_t> want{0};
  for (const std::uint32_t i : indices) {
    want.push_back(want.back() + (i == 0 ? large.size() : i == 1 ? 5 : 0));
  }
  REQUIRE(want[strings_tile(d)] > std::uint64_t{1} << 32);
  for (const Schedule schedule : kRopeSchedules) {
    const Guarded offsets(8 * (n + 1)), chars(room, 3), validity((n + 31) / 32 * 4);
    const Guarded report(std::vector<std::uint64_t>(4, 0));
    const strings::GatherStringsDesc desc{.schedule = schedule};
    const DirtyScratch scratch(strings::gather_scratch(d, desc, n));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(strings::record_gather(cmd, d, desc,
                                            {.in = column.view(),
                                             .indices = places.view(),
                                             .out = {.offsets = offsets.view(),
                                                     .chars = chars.view(),
                                                     .validity = validity.view(),
                                                     .offset_width = IndexWidth::u64},
                                             .report = report.view(),
                                             .scratch = scratch.get()}));
    });
    CHECK(offsets.read<std::uint64_t>() == want);
    const auto got = chars.read<char>();
    CHECK(std::string(got.begin(), got.end()) == "small" + large.substr(0, room - 5));
    CHECK(validity.read<std::uint32_t>()[0] == ~4u);
    CHECK(read_report(report).needed == want.back());
  }
}

TEST_CASE("strings rope: long rows among short ones, also more than are staged") {
  const Device& d = device();
  for (const std::uint64_t size : {std::uint64_t{700'001}, std::uint64_t{16 << 20}}) {
    HostStrings rows = random_strings(strings_tile(d) + 9, 7, {.nulls = 10});
    std::string& large = rows[5].emplace(size, 'x');
    for (std::size_t i = 0; i < size; ++i)
      large[i] = static_cast<char>('a' + i % 23 + i / 4096 % 3);
    rows[6] = large.substr(3, 99'999);
    const PlacedColumn column(rows, {.chars_at = 3});
    for (const Schedule schedule : kRopeSchedules) {
      CAPTURE(size);
      const PlacedResult result(rows, IndexWidth::u32, 1);
      const DirtyScratch scratch(strings::slice_scratch(d, {}, rows.size(), most_chars(rows)));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(
            record_copy(cmd, d, schedule,
                        {.in = column.view(), .out = result.out(true), .scratch = scratch.get()}));
      });
      result.check(true);
    }
  }
}

TEST_CASE("strings rope: rows of hostile offsets are cut to the bytes that there are") {
  const Device& d = device();
  std::string chars =
      "abcdefghijklmnop";  // ASCII for the rows that see only these bytes
  for (const auto& row : random_strings(50, 3, {.invalid = 5})) chars += *row;
  const std::uint64_t n = strings_tile(d) + 100;
  const Guarded placed_chars(std::vector<std::uint8_t>(chars.begin(), chars.end()), 3);
  for (const std::vector<std::uint64_t>& offsets : hostile_offsets(n, chars.size())) {
    for (const IndexWidth width : {IndexWidth::u32, IndexWidth::u64}) {
      std::vector<std::uint32_t> words;
      std::vector<std::uint64_t> used = offsets;
      for (std::uint64_t& offset : used) {
        if (width == IndexWidth::u32) offset &= 0xffffffff;
        words.push_back(static_cast<std::uint32_t>(offset));
        if (width == IndexWidth::u64) words.push_back(static_cast<std::uint32_t>(offset >> 32));
      }
      const Guarded placed_offsets(words);
      const StringColumnView in{.offsets = placed_offsets.view(),
                                .chars = placed_chars.view(),
                                .rows = n,
                                .offset_width = width};
      const HostStrings rows = cut_rows(used, chars);
      for (const Schedule schedule : kRopeSchedules) {
        check_rows(rows, {.chars_at = 1}, strings::slice_scratch(d, {}, n, in.chars.bytes),
                   [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                     return record_copy(cmd, d, schedule,
                                        {.in = in, .out = out, .scratch = scratch});
                   });
      }
      check_rows(oracle::strings::strip(rows), {}, strings::strip_scratch(d, {}, n, in.chars.bytes),
                 [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                   return strings::record_strip(cmd, d, {},
                                                {.in = in, .out = out, .scratch = scratch});
                 });
      const strings::SliceDesc reverse{.step = -1};
      check_rows(oracle::strings::slice(rows, {.step = -1}), {},
                 strings::slice_scratch(d, reverse, n, in.chars.bytes),
                 [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                   return strings::record_slice(cmd, d, reverse,
                                                {.in = in, .out = out, .scratch = scratch});
                 });
      const strings::FindDesc count{.number = strings::StringNumber::count_bytes};
      const PlacedRows counts(n, 4 * n);
      const DirtyScratch scratch(strings::find_scratch(d, count, in.chars.bytes));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(strings::record_find(cmd, d, count,
                                            {.in = in,
                                             .out = counts.values(),
                                             .validity = counts.validity(),
                                             .scratch = scratch.get()}));
      });
      CHECK(difference(counts.numbers(), oracle::strings::count_bytes(rows)) == "");
    }
  }
}

TEST_CASE(
    "strings rope: tiles that never publish, late tiles and shuffled tickets change nothing") {
  const Setup setups[] = {{.faults = kSilent},
                          {.faults = kSilent, .word32 = true},
                          {.faults = kSilent | kShuffled, .period = 3},
                          {.faults = kDelayed | kShuffled, .period = 3},
                          {.faults = kForced},
                          {.faults = 0, .word32 = true}};
  for (const Setup& setup : setups) {
    if (!exhaustive() && (setup.word32 || !(setup.faults & kSilent))) continue;
    const std::string what = text_of(setup);
    CAPTURE(what);
    const Device& d = device_for(setup);
    const std::uint64_t tiles = 40, n = (tiles - 1) * strings_tile(d, 3) + 77;
    const HostStrings rows = random_strings(n, 4, {.max_bytes = 40, .nulls = 10});
    const HostStrings joined = oracle::strings::concatenate({rows, rows}, {.separator = "; "});
    const PlacedColumn column(rows, {});
    const std::vector<StringColumnView> columns(2, column.view());
    const PlacedResult result(joined, IndexWidth::u32, 1);
    const strings::ConcatenateDesc desc{
        .separator = "; ", .row_bytes = 100, .schedule = Schedule::look_back};
    const DirtyScratch scratch(strings::concatenate_scratch(d, desc, 2, n));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(strings::record_concatenate(
          cmd, d, desc, {.columns = columns, .out = result.out(true), .scratch = scratch.get()}));
    });
    result.check(true);
    // The states of the tiles lie behind the arguments, one text and the table.
    const std::uint64_t before = VKP_STRINGS_TEXT_OFFSET + 4 + 2 * sizeof(abi::VkpStrings);
    const std::uint64_t state = (before + 15) / 16 * 4;
    const Counters words = scratch.words(state + kCounters);
    check_counters({words.begin() + std::ptrdiff_t(state), words.end()}, setup, tiles);
  }
}

TEST_CASE("strings rope: more than 65,535 tiles") {
  if (subset()) return;
  const Device& d = device();
  const std::uint64_t n = 65'540 * strings_tile_at_most(d) + 1;
  const HostStrings rows{"a", "", "bc", std::nullopt};
  const PlacedColumn column(rows, {});
  std::vector<std::uint32_t> indices(n, 1);
  std::string all;
  for (std::uint64_t i = 0; i < n; i += 1000) {
    indices[i] = i / 1000 % 4;
    if (rows[indices[i]]) all += *rows[indices[i]];
  }
  const auto placed = context().upload(indices);
  const auto offsets = context().allocate<std::uint32_t>(n + 1);
  const auto chars = context().upload(std::vector<std::uint8_t>(all.size(), 0));
  const strings::GatherStringsDesc desc{.schedule = Schedule::look_back};
  const DirtyScratch scratch(strings::gather_scratch(d, desc, n));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        strings::record_gather(cmd, d, desc,
                               {.in = column.view(),
                                .indices = placed.view(),
                                .out = {.offsets = offsets.view(), .chars = chars.view()},
                                .scratch = scratch.get()}));
  });
  const auto bytes = context().download(chars);
  CHECK(std::string(bytes.begin(), bytes.end()) == all);
  const auto ends = context().download(offsets);
  std::uint64_t at = 0, wrong = 0;
  for (std::uint64_t i = 0; i <= n; ++i) {
    wrong += ends[i] != at;
    if (i < n && rows[indices[i]]) at += rows[indices[i]]->size();
  }
  CHECK(wrong == 0);
}

TEST_CASE(
    "strings rope: recorded twice in one command buffer, and replayed 100 times, with one dirty "
    "scratch") {
  const Device& d = device();
  const HostStrings rows = random_strings(4 * strings_tile(d) + 5, 5, {.nulls = 10});
  const PlacedColumn column(rows, {.rows_before = 1});
  const HostStrings stripped = oracle::strings::strip(rows);
  std::string all;
  for (const auto& row : stripped) all += row.value_or("");
  const std::vector<std::uint8_t> expected(all.begin(), all.end());
  const std::vector<std::uint8_t> nothing(expected.size(), 0);
  const Buffer<std::uint8_t> chars[] = {context().upload(nothing), context().upload(nothing)};
  const auto offsets = context().allocate<std::uint64_t>(rows.size() + 1);
  for (const Schedule schedule : kRopeSchedules) {
    const strings::StripDesc desc{.schedule = schedule};
    const DirtyScratch scratch(strings::strip_scratch(d, desc, rows.size(), most_chars(rows)));
    replay(
        d,
        [&] {
          for (const auto& buffer : chars) context().write(buffer, nothing);
        },
        [&](VkCommandBuffer cmd, std::uint64_t i) {
          return strings::record_strip(cmd, d, desc,
                                       {.in = column.view(),
                                        .out = {.offsets = offsets.view(),
                                                .chars = chars[i].view(),
                                                .offset_width = IndexWidth::u64},
                                        .scratch = scratch.get()});
        },
        [&] {
          CHECK(context().download(offsets).back() == expected.size());
          for (const auto& buffer : chars) CHECK(context().download(buffer) == expected);
        });
  }
}

}  // namespace vkprims::test

// Tests of strings::slice.
#include "vkprims/strings/slice.hpp"

#include "blocks/lookback_setup.hpp"
#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"

namespace vkprims::test {
namespace {

using Positions = oracle::strings::Slice;
using Numbers = std::vector<std::int32_t>;

void check_slice(const HostStrings& rows, const Positions& positions, const Layout& layout,
                 const Device& d = device()) {
  const strings::SliceDesc desc{.start = positions.start,
                                .stop = positions.stop,
                                .step = positions.step.value_or(1),
                                .schedule = layout.schedule};
  const PlacedColumn column(rows, layout.in);
  check_rows(oracle::strings::slice(rows, positions), layout.to,
             strings::slice_scratch(d, desc, rows.size(), most_chars(rows)),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_slice(cmd, d, desc,
                                            {.in = column.view(), .out = out, .scratch = scratch});
             });
}

// Slices by positions for each row; an empty vector of positions is not given.
void check_slice_per_row(const HostStrings& rows, const Numbers& starts, const Numbers& stops,
                         const Layout& layout) {
  const strings::SliceDesc desc{.per_row = true, .schedule = layout.schedule};
  const Device& d = device();
  const PlacedColumn column(rows, layout.in);
  const Guarded placed_starts(starts, 4), placed_stops(stops, 8);
  const auto given = [](const Numbers& numbers, const Guarded& placed) {
    return numbers.empty() ? BufferView{} : placed.view();
  };
  const auto or_all = [&](const Numbers& numbers, std::int32_t otherwise) {
    return numbers.empty() ? Numbers(rows.size(), otherwise) : numbers;
  };
  check_rows(oracle::strings::slice(rows, or_all(starts, 0), or_all(stops, -1)), layout.to,
             strings::slice_scratch(d, desc, rows.size(), most_chars(rows)),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_slice(cmd, d, desc,
                                            {.in = column.view(),
                                             .starts = given(starts, placed_starts),
                                             .stops = given(stops, placed_stops),
                                             .out = out,
                                             .scratch = scratch});
             });
}

// Returns positions of which many are within rows, some before and some behind them.
Numbers random_positions(std::size_t n, std::uint32_t seed) {
  Numbers numbers = random_values<std::int32_t>(n, seed);
  for (std::int32_t& x : numbers) {
    if (x % 16 != 0) x = std::abs(x % 40) - 8;
  }
  return numbers;
}

}  // namespace

TEST_CASE("strings slice: rows of every shape, alignment, number and length") {
  const Positions all[] = {{}, {.start = 1}, {.start = 1, .stop = 9}, {.start = -7, .stop = -1}};
  std::size_t i = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    // Counting from the end, lavapipe leaves the loops over long rows early
    // (shaders/vkprims/README.md).
    check_slice(rows, all[layout.long_rows ? 1 : i++ % 4], layout);
  });
}

TEST_CASE("strings slice: positions from both ends and far outside, of characters of any size") {
  const HostStrings rows = random_strings(700, 1, {.max_bytes = 16, .nulls = 20, .invalid = 10});
  using Position = std::optional<std::int32_t>;
  for (const Position start : {Position(), {0}, {1}, {5}, {-1}, {-4}, {100}, {INT32_MIN}}) {
    for (const Position stop :
         {Position(), {0}, {1}, {6}, {-1}, {-3}, {100}, {INT32_MAX}, {INT32_MIN}}) {
      CAPTURE(start.value_or(77));
      CAPTURE(stop.value_or(77));
      check_slice(rows, {.start = start, .stop = stop}, {});
    }
  }
}

TEST_CASE("strings slice: near the beginning, bytes of ASCII before others") {
  HostStrings rows;
  for (std::size_t ascii = 0; ascii < 36; ++ascii) {
    for (const char* behind : {"", "\x80", "\x80\x80yz", "\xC3\x9Cyz", "yz\x80"}) {
      rows.push_back(std::string("abcdefghijklmnopqrstuvwxyz0123456789").substr(0, ascii) + behind);
    }
  }
  for (std::int32_t stop = 13; stop < 19; ++stop) {
    CAPTURE(stop);
    for (const std::int32_t start : {0, 1, 14, 15, 16}) {
      check_slice(rows, {.start = start, .stop = stop}, {.in = {.chars_at = 1}});
    }
  }
}

TEST_CASE("strings slice by steps: rows of every shape, alignment, number and length") {
  const Positions all[] = {{.step = -1},
                           {.step = 2},
                           {.start = 1, .stop = 90, .step = 7},
                           {.start = -2, .stop = 1, .step = -2},
                           {.start = 40, .stop = -40, .step = -7}};
  std::size_t i = 0;
  for_each_layout(
      kRopeSchedules,
      [&](const HostStrings& rows, const Layout& layout) {
        check_slice(rows, all[layout.long_rows ? i++ % 2 : i++ % 5], layout);
      },
      kLongestSearched);
}

TEST_CASE("strings slice by steps: positions and steps of any size, either way") {
  HostStrings rows = random_strings(700, 1, {.max_bytes = 80, .nulls = 20, .invalid = 10});
  for (std::size_t bytes : {31, 32, 33, 63, 64, 65, 96}) {
    rows.push_back(std::string(bytes, 'x'));
    rows.push_back(std::string(bytes, '\x80'));
    rows.push_back(std::string(bytes - 1, 'y') + "é");
    rows.push_back("é" + std::string(bytes, '\x80') + "z\x80");
  }
  using Position = std::optional<std::int32_t>;
  for (const std::int32_t step : {-1, 2, -2, 7, -7, 31, -33, 1000, INT32_MAX, INT32_MIN}) {
    if (subset() && step != 2 && step != -2) continue;
    for (const Position start :
         {Position(), {0}, {1}, {33}, {-1}, {-35}, {INT32_MAX}, {INT32_MIN}}) {
      for (const Position stop :
           {Position(), {0}, {2}, {34}, {-1}, {-34}, {INT32_MAX}, {INT32_MIN}}) {
        CAPTURE(step);
        CAPTURE(start.value_or(77));
        CAPTURE(stop.value_or(77));
        check_slice(rows, {start, stop, step}, {});
      }
    }
  }
}

TEST_CASE("strings slice by small steps: whole rows of ASCII, and one byte that is not") {
  // The fast path gives up at that byte, wherever it is.
  std::mt19937_64 engine(5);
  const std::uint64_t n = 3 * strings_tile(device()) + 9;
  for (int round = 0; round < (subset() ? 6 : 60); ++round) {
    HostStrings rows = random_strings(n, static_cast<std::uint32_t>(round),
                                      {.max_bytes = round % 2 ? 20u : 90u, .nulls = 5, .wide = 0});
    for (const bool is_ascii : {true, false}) {
      auto& row = rows[engine() % n].emplace("abc");
      if (!is_ascii) row.insert(engine() % 4, 1, '\x80');
      for (const std::int32_t step : {-1, 2, -2}) {
        CAPTURE(round);
        CAPTURE(step);
        Layout l = layout(static_cast<std::uint64_t>(round), Schedule::look_back);
        l.in.garbage_in_nulls = round % 3 == 0;
        check_slice(rows, {.step = step}, l);
      }
    }
  }
  // Tiles have a byte or two of result, and more units than a window takes; the word of these bytes
  // is shared with the tile before.
  const std::uint64_t many = 420'000;  // over 384 rows in a tile
  HostStrings few(many);
  for (std::uint64_t i = 0; i < many; i += 300 + engine() % 500) few[i] = engine() % 4 ? "x" : "yz";
  for (const std::int32_t step : {-1, 2}) check_slice(few, {.step = step}, {});
  // The byte is the last one, belongs to no character of the result, and is alone in its 16 bytes
  // and in a window of these. (It lies behind another row, because the bytes beside the column in
  // its first word are examined, too.)
  const std::size_t units = 3 * VKP_STRINGS_ROPE_WORKGROUP;
  for (std::size_t bytes = 16 * (units - 2); bytes <= 16 * units; ++bytes) {
    CAPTURE(bytes);
    check_slice({"b", std::string(bytes, 'a') + '\x80'}, {.step = 2}, {});
  }
}

TEST_CASE("strings slice by steps and near the beginning: characters longer than what is staged") {
  HostStrings rows(70, "ab");
  const std::string tail(3 * 4 * VKP_STRINGS_ROPE_WORKGROUP * VKP_STRINGS_STAGE_WORDS + 5, '\x80');
  rows[3] = "é" + tail + "b" + tail + "cd";
  rows[40] = tail + "x";
  for (int i = 0; i < 9'000; ++i) rows[50]->append("é數");
  for (const Schedule schedule : kRopeSchedules) {
    for (const Positions first : {Positions{.start = 1, .stop = 3}, Positions{.stop = 1}}) {
      check_slice(rows, first, layout(3, schedule));
    }
    for (const std::int32_t step : {-1, 2, -2, 3, -5}) {
      CAPTURE(step);
      check_slice(rows, {.step = step}, layout(static_cast<std::uint64_t>(step + 8), schedule));
    }
  }
}

TEST_CASE("strings slice: tiles that never publish, late ones and shuffled ones") {
  for (const Setup& setup : late_setups()) {
    const std::string what = text_of(setup);
    CAPTURE(what);
    const Device& d = device_for(setup);
    const HostStrings rows = random_strings(20 * strings_tile(d) + 7, 4, {.nulls = 10});
    for (const std::int32_t step : {-1, 2}) {
      check_slice(rows, {.step = step}, {}, d);
      check_slice(random_strings(20 * strings_tile(d) + 7, 4, {.nulls = 10, .wide = 0}),
                  {.step = step}, {}, d);
    }
    check_slice(rows, {.start = 1, .stop = 12}, {}, d);
    check_slice(rows, {.start = -3}, {}, d);
  }
}

TEST_CASE("strings slice of each row: rows of every shape, alignment, number and length") {
  std::uint32_t i = 0;
  for_each_layout(
      kRopeSchedules,
      [&](const HostStrings& rows, const Layout& layout) {
        ++i;
        Numbers starts = random_positions(rows.size(), i);
        Numbers stops = random_positions(rows.size(), i + 1000);
        if (i % 5 == 1) starts = {};
        if (i % 5 == 2) stops = {};
        if (i % 5 == 3) starts = stops = {};
        check_slice_per_row(rows, starts, stops, layout);
      },
      kLongestSearched);
}

TEST_CASE("strings slice of each row: a start below 0 is the beginning, a stop below 0 the end") {
  const HostStrings rows(8, "aé數😀b");
  check_slice_per_row(rows, {0, 1, -1, INT32_MIN, 2, 5, 6, INT32_MAX},
                      {1, 3, 2, -1, INT32_MIN, INT32_MAX, 9, -1}, {});
}

TEST_CASE("strings slice by steps: too little room is reported, and nothing is past it") {
  const Device& d = device();
  for (const std::uint32_t wide : {30u, 0u}) {
    const HostStrings rows =
        random_strings(2 * strings_tile(d) + 7, 1, {.nulls = 10, .wide = wide});
    const HostStrings expected = oracle::strings::slice(rows, {.step = -2});
    const PlacedColumn column(rows, {});
    for (const Schedule schedule : kRopeSchedules) {
      for (const std::uint64_t too_few : {1u, 5u, 1000u}) {
        const strings::SliceDesc desc{.step = -2, .schedule = schedule};
        const PlacedResult result(expected, width_of(too_few), too_few % 4, too_few);
        const Guarded report(std::vector<std::uint64_t>(4, 0));
        const DirtyScratch scratch(strings::slice_scratch(d, desc, rows.size(), most_chars(rows)));
        run([&](VkCommandBuffer cmd) {
          throw_if_error(strings::record_slice(cmd, d, desc,
                                               {.in = column.view(),
                                                .out = result.out(true),
                                                .report = report.view(),
                                                .scratch = scratch.get()}));
        });
        result.check(true);
        CHECK(report.read<std::uint64_t>()[1] == too_few);
        CHECK(report.read<std::uint64_t>()[3] == PlacedResult::bytes_of(expected));
      }
    }
  }
}

TEST_CASE("strings slice: a small column by both schedules") {
  const HostStrings rows = random_strings(600, 1, {.nulls = 10});
  for (const Schedule schedule : kRopeSchedules) {
    check_slice(rows, {.start = 1, .stop = -1}, layout(3, schedule));
  }
  // (Slices by steps are left out: instrumented, their kernel takes lavapipe a minute to compile.)
  check_slice_per_row(rows, random_positions(600, 2), random_positions(600, 3),
                      layout(3, Schedule::look_back));
}

TEST_CASE("strings slice: smoke" * doctest::test_suite("smoke")) {
  const HostStrings rows = random_strings(600, 1, {.nulls = 10});
  check_slice(rows, {.start = 1, .stop = 3}, layout(3, Schedule::look_back));
}

}  // namespace vkprims::test

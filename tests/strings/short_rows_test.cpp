// What the operations have in common whose kernels make rows in registers, in strips: rounds,
// strips with rows that are too long to be staged, and strips with too many bytes.
#include "blocks/lookback_setup.hpp"
#include "oracles/strings/pieces.hpp"
#include "strings/hostile.hpp"
#include "strings/layouts.hpp"
#include "vkprims/strings/concatenate.hpp"
#include "vkprims/strings/copy_if_else.hpp"
#include "vkprims/strings/slice.hpp"
#include "vkprims/strings/split.hpp"

namespace vkprims::test {
namespace {

// Copies rows with a hint that says how many bytes they have.
struct Copy {
  Copy(std::uint64_t rows, std::uint32_t row_bytes, Schedule schedule)
      : desc{.b_is_scalar = true, .row_bytes = row_bytes, .schedule = schedule},
        mask(oracle::strings::Bools(rows, true), 3) {}
  Status record(VkCommandBuffer cmd, const Device& d, const StringColumnView& in,
                const StringColumnOut& out, const BufferView& report,
                const Scratch& scratch) const {
    return strings::record_copy_if_else(
        cmd, d, desc,
        {.a = in, .mask = mask.view(), .out = out, .report = report, .scratch = scratch});
  }
  ScratchNeed need(const Device& d) const {
    return strings::copy_if_else_scratch(d, desc, mask.view().rows);
  }
  strings::CopyIfElseDesc desc;
  PlacedBits mask;
};

void check_copy(const HostStrings& rows, const Layout& layout, const Device& d = device()) {
  const Copy copy(rows.size(), 8, layout.schedule);
  const PlacedColumn column(rows, layout.in);
  check_rows(rows, layout.to, copy.need(d),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return copy.record(cmd, d, column.view(), out, {}, scratch);
             });
}

// Checks every operation that has such a kernel.
void check_all(const HostStrings& rows, const StringColumnView& in, std::uint32_t row_bytes,
               Schedule schedule, const Device& d) {
  const std::uint64_t n = rows.size();
  const Placement to{.chars_at = 1};
  const Copy copy(n, row_bytes, schedule);
  check_rows(rows, to, copy.need(d),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return copy.record(cmd, d, in, out, {}, scratch);
             });
  for (const std::uint32_t token : {0u, 1u}) {
    const strings::SplitDesc desc{.token = token, .row_bytes = row_bytes, .schedule = schedule};
    check_rows(oracle::strings::split(rows, "", token + 1, false).back(), to,
               strings::split_scratch(d, desc, n, most_chars(rows)),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return strings::record_split(cmd, d, desc,
                                              {.in = in, .out = out, .scratch = scratch});
               });
  }
  const strings::SliceDesc slice{.start = 1, .stop = 4, .schedule = schedule};
  check_rows(oracle::strings::slice(rows, {.start = 1, .stop = 4}), to,
             strings::slice_scratch(d, slice, n, most_chars(rows)),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_slice(cmd, d, slice,
                                            {.in = in, .out = out, .scratch = scratch});
             });
  const std::vector<StringColumnView> columns{in, in};
  const strings::ConcatenateDesc join{
      .separator = ", ", .row_bytes = row_bytes, .schedule = schedule};
  check_rows(oracle::strings::concatenate({rows, rows}, {.separator = ", "}), to,
             strings::concatenate_scratch(d, join, 2, n),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_concatenate(
                   cmd, d, join, {.columns = columns, .out = out, .scratch = scratch});
             });
}

// Returns rows of 0 … 4 bytes, some of them null, and one of 30 bytes in every 1000.
HostStrings many_rows(std::uint64_t n) {
  HostStrings rows(n);
  std::mt19937_64 engine(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (engine() % 16 == 0) continue;
    rows[i].emplace(std::string("a bé cd").substr(engine() % 3, engine() % 5));
    if (engine() % 1000 == 0) *rows[i] += "and 23 more of these bytes";
  }
  return rows;
}

}  // namespace

TEST_CASE("strings short rows: strips of one round to four") {
  const Device& d = device();
  const std::uint64_t round = 1024 * short_tile(d);  // rows of as many tiles as are wanted
  for (const std::uint64_t rounds : {1, 3, 4}) {
    if (!exhaustive() && rounds != 3) continue;
    CAPTURE(rounds);
    const HostStrings rows = many_rows(rounds * round + 77);
    const PlacedColumn column(rows, {.chars_at = 3, .rows_before = 5});
    for (const Schedule schedule : kRopeSchedules) {
      if (!exhaustive() && schedule == Schedule::multi_pass) continue;
      check_all(rows, column.view(), 4, schedule, d);
    }
  }
}

TEST_CASE("strings short rows: rows of more bytes than were hinted at") {
  const Device& d = device();
  const std::uint64_t n = 3 * short_tile(d) + 9;
  for (const std::uint64_t bytes : {24, 60, 250, 300, 1000}) {
    for (const Schedule schedule : kRopeSchedules) {
      if (!exhaustive() && schedule == Schedule::multi_pass) continue;
      CAPTURE(bytes);
      const auto seed = static_cast<std::uint32_t>(bytes);
      const HostStrings rows = random_strings(n, seed, {.max_bytes = bytes, .nulls = 5});
      const PlacedColumn column(rows, {.chars_at = bytes % 7});
      check_all(rows, column.view(), 1, schedule, d);
    }
  }
  // Strips stage their rows of up to 255 bytes, but not longer rows.
  HostStrings rows(n, "ab");
  std::mt19937_64 engine(3);
  for (std::uint64_t i = 0; i < n; i += 64) {
    rows[i] = random_string(engine, 230 + engine() % 50, {});
    rows[i + 1] = random_string(engine, 16 + engine() % 10, {});
  }
  const PlacedColumn column(rows, {});
  check_all(rows, column.view(), 1, Schedule::look_back, d);
  // A row of lanes has as many bytes as give 0 in 16 bits.
  const HostStrings long_rows(67, random_string(engine, 16 << 10, {}));
  const PlacedColumn long_column(long_rows, {});
  check_all(long_rows, long_column.view(), 1, Schedule::look_back, d);
}

TEST_CASE("strings short rows: rows of megabytes among them") {
  const Device& d = device();
  const std::uint64_t n = short_tile(d) + 9;
  HostStrings rows = random_strings(n, 7, {.nulls = 10});
  for (const auto& [row, size] : {std::pair{5, 700'001}, {6, 99'999}, {70, 2'000'000}}) {
    std::string& large = rows[std::size_t(row)].emplace(std::size_t(size), 'x');
    for (std::size_t i = 0; i < large.size(); ++i) {
      large[i] = static_cast<char>('a' + i % 23 + i / 4096 % 3);
    }
  }
  for (const Schedule schedule : kRopeSchedules) {
    check_copy(rows, layout(5, schedule), d);
  }
}

TEST_CASE("strings short rows: rows of hostile offsets are cut to the bytes that there are") {
  const Device& d = device();
  std::string chars;
  for (const auto& row : random_strings(20, 3, {.invalid = 5})) chars += *row;
  const std::uint64_t n = short_tile(d) + 100;
  const Guarded placed_chars(std::vector<std::uint8_t>(chars.begin(), chars.end()), 3);
  for (const std::vector<std::uint64_t>& offsets : hostile_offsets(n, chars.size())) {
    std::vector<std::uint32_t> words;
    std::vector<std::uint64_t> used;
    for (const std::uint64_t offset : offsets) {
      words.push_back(static_cast<std::uint32_t>(offset));
      used.push_back(words.back());
    }
    const Guarded placed_offsets(words);
    const StringColumnView in{
        .offsets = placed_offsets.view(), .chars = placed_chars.view(), .rows = n};
    for (const Schedule schedule : kRopeSchedules) {
      if (!exhaustive() && schedule == Schedule::multi_pass) continue;
      check_all(cut_rows(used, chars), in, 4, schedule, d);
    }
  }
}

TEST_CASE("strings short rows: a tile of more bytes than 32 bits number") {
  const Device& d = device();
  const std::uint64_t n = short_tile(d) + 9, room = 101;
  const std::uint64_t bytes = (std::uint64_t{10} << 30) / n;
  std::vector<std::uint8_t> large(bytes);
  for (std::size_t i = 0; i < 200; ++i) large[i] = static_cast<std::uint8_t>('a' + i % 23);
  std::vector<std::uint32_t> offsets(n + 1);
  std::vector<std::uint64_t> want(n + 1);
  for (std::uint64_t i = 0; i <= n; ++i) {
    offsets[i] = i % 2 ? static_cast<std::uint32_t>(bytes) : 0;
    want[i] = (i + 1) / 2 * bytes;
  }
  REQUIRE(want[short_tile(d)] > std::uint64_t{1} << 32);
  const auto chars = context().upload(large);
  const Guarded placed_offsets(offsets);
  const StringColumnView in{
      .offsets = placed_offsets.view(), .chars = {chars.address(), bytes}, .rows = n};
  for (const Schedule schedule : kRopeSchedules) {
    const Copy copy(n, 8, schedule);
    const Guarded out_offsets(8 * (n + 1)), out_chars(room, 3);
    const Guarded report(std::vector<std::uint64_t>(4, 0));
    const DirtyScratch scratch(copy.need(d));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(copy.record(cmd, d, in,
                                 {.offsets = out_offsets.view(),
                                  .chars = out_chars.view(),
                                  .offset_width = IndexWidth::u64},
                                 report.view(), scratch.get()));
    });
    CHECK(out_offsets.read<std::uint64_t>() == want);
    const auto got = out_chars.read<std::uint8_t>();
    CHECK(std::equal(got.begin(), got.end(), large.begin()));
    CHECK(report.read<std::uint64_t>()[3] == want.back());
  }
}

TEST_CASE("strings short rows: too little room is reported, and nothing is past it") {
  const Device& d = device();
  for (const std::uint64_t most : {std::uint64_t{12}, std::uint64_t{90}}) {  // staged; not staged
    const HostStrings rows =
        random_strings(2 * short_tile(d) + 7, 1, {.max_bytes = most, .nulls = 10});
    const std::uint64_t bytes = PlacedResult::bytes_of(rows);
    const PlacedColumn column(rows, {});
    for (const std::uint64_t too_few :
         {std::uint64_t{1}, std::uint64_t{6}, bytes / 3, bytes - 3, bytes}) {
      CAPTURE(most);
      CAPTURE(too_few);
      const Copy copy(rows.size(), 8, Schedule::look_back);
      const PlacedResult result(rows, width_of(too_few), too_few % 4, too_few);
      const Guarded report(std::vector<std::uint64_t>(4, 0));
      const DirtyScratch scratch(copy.need(d));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(
            copy.record(cmd, d, column.view(), result.out(true), report.view(), scratch.get()));
      });
      result.check(true);
      CHECK(report.read<std::uint64_t>()[1] == too_few);
      CHECK(report.read<std::uint64_t>()[3] == bytes);
    }
  }
}

TEST_CASE("strings short rows: tiles that never publish, late ones and shuffled ones") {
  for (const Setup& setup : late_setups()) {
    const std::string what = text_of(setup);
    CAPTURE(what);
    const Device& d = device_for(setup);
    for (const std::uint64_t most : {std::uint64_t{20}, std::uint64_t{90}}) {
      // Another tile computes an aggregate in another way than the tile makes its own rows. Both
      // have to agree for bytes that are not UTF-8, too.
      const HostStrings rows =
          random_strings(20 * short_tile(d) + 7, 4, {.max_bytes = most, .nulls = 10, .invalid = 5});
      const PlacedColumn column(rows, {});
      check_all(rows, column.view(), 8, Schedule::look_back, d);
    }
  }
}

}  // namespace vkprims::test

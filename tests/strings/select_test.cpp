// Tests of strings::select.
#include "vkprims/strings/select.hpp"

#include "oracles/strings/copying.hpp"
#include "strings/layouts.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

using oracle::strings::Bools;

// Returns a mask that selects about `percent` of 100 rows, with nulls if wanted.
Bools random_mask(std::size_t n, std::uint32_t seed, std::uint32_t percent, bool nulls) {
  std::mt19937 engine(seed);
  Bools mask(n);
  for (auto& bit : mask) {
    const bool is_set = engine() % 100 < percent;
    if (!nulls || engine() % 8 != 0) bit = is_set;
  }
  return mask;
}

// Returns the selected rows with null rows behind them.
HostStrings expected_rows(const HostStrings& rows, const Bools& mask) {
  HostStrings result = oracle::strings::select(rows, mask);
  result.resize(rows.size());
  return result;
}

void check_select(const HostStrings& rows, const Bools& mask, std::uint32_t first_bit,
                  const Layout& layout) {
  const strings::SelectStringsDesc desc{.schedule = layout.schedule};
  const Device& d = device();
  const PlacedColumn column(rows, layout.in);
  const PlacedBits bits(mask, first_bit);
  const Guarded count(8, 8);
  check_rows(expected_rows(rows, mask), layout.to, strings::select_scratch(d, desc, rows.size()),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_select(cmd, d, desc,
                                             {.in = column.view(),
                                              .mask = bits.view(),
                                              .out = out,
                                              .selected_count = count.view(),
                                              .scratch = scratch});
             });
  CHECK(count.read<std::uint64_t>()[0] == oracle::strings::select(rows, mask).size());
}

}  // namespace

TEST_CASE("strings select: rows of every shape, alignment, number and length") {
  std::uint32_t seed = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    ++seed;
    const Bools mask = random_mask(rows.size(), seed, seed * 29 % 101, seed % 2 != 0);
    check_select(rows, mask, seed % 3 ? seed * 7 % 32 : 0, layout);
  });
}

TEST_CASE("strings select: all rows, none, the first, the last, null bits alone") {
  const std::size_t n = 2 * strings_tile(device()) + 3;
  const HostStrings rows = random_strings(n, 3, {.nulls = 10});
  Bools first(n, false), last(n, false);
  first.front() = last.back() = true;
  for (const Bools& mask : {Bools(n, true), Bools(n, false), first, last, Bools(n)}) {
    check_select(rows, mask, 0, {});
    check_select(rows, mask, 31, layout(1, Schedule::multi_pass));
  }
}

TEST_CASE("strings select: every first bit of the mask, at the ends of words") {
  for (const std::size_t n : {1, 31, 32, 33, 64, 65}) {
    const HostStrings rows = random_strings(n, 5);
    for (std::uint32_t bit = 0; bit < 32; bit += subset() ? 5 : 1) {
      CAPTURE(n);
      CAPTURE(bit);
      check_select(rows, random_mask(n, bit, 50, bit % 2 != 0), bit, {});
    }
  }
}

TEST_CASE("strings select: bytes without room are reported and not written") {
  const Device& d = device();
  const HostStrings rows = random_strings(700, 2, {.nulls = 10});
  const Bools mask = random_mask(rows.size(), 1, 60, true);
  const HostStrings expected = expected_rows(rows, mask);
  const std::uint64_t bytes = PlacedResult::bytes_of(expected);
  const PlacedColumn column(rows, {});
  const PlacedBits bits(mask, 3);
  const PlacedResult result(expected, IndexWidth::u32, 1, 100);
  const Guarded count(8), report(std::vector<DeviceReport>(1));
  const DirtyScratch scratch(strings::select_scratch(d, {}, rows.size()));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_select(cmd, d, {},
                                          {.in = column.view(),
                                           .mask = bits.view(),
                                           .out = result.out(true),
                                           .selected_count = count.view(),
                                           .report = report.view(),
                                           .scratch = scratch.get()}));
  });
  result.check(true);
  const DeviceReport found = report.read<DeviceReport>()[0];
  CHECK(found.code == DeviceReport::capacity_exceeded);
  CHECK(found.count == 100);
  CHECK(found.needed == bytes);
}

TEST_CASE("strings select: twice in one command buffer, replayed") {
  const Device& d = device();
  const HostStrings rows = random_strings(900, 2, {.nulls = 10});
  const Bools masks[] = {random_mask(900, 1, 60, true), random_mask(900, 2, 20, false)};
  const PlacedColumn column(rows, layout(3, Schedule::automatic).in);
  const PlacedBits bits[] = {{masks[0], 5}, {masks[1], 0}};
  const HostStrings expected[] = {expected_rows(rows, masks[0]), expected_rows(rows, masks[1])};
  const PlacedResult results[] = {{expected[0], IndexWidth::u32, 0},
                                  {expected[1], IndexWidth::u64, 3}};
  const Guarded counts[] = {Guarded(8), Guarded(8)};
  const DirtyScratch scratch(strings::select_scratch(d, {}, rows.size()));
  replay(
      d, [] {},
      [&](VkCommandBuffer cmd, int i) {
        return strings::record_select(cmd, d, {},
                                      {.in = column.view(),
                                       .mask = bits[i].view(),
                                       .out = results[i].out(true),
                                       .selected_count = counts[i].view(),
                                       .scratch = scratch.get()});
      },
      [&] {
        for (const int i : {0, 1}) results[i].check(true);
      });
}

TEST_CASE("strings select: wrong input is refused by name before anything is recorded") {
  const Device& d = device();
  constexpr std::uint64_t kRows = 1000;
  const auto buffer = context().upload(std::vector<std::uint32_t>(1 << 15, 0));
  const DeviceSpan<std::uint32_t> all = buffer.span();
  const ScratchNeed need = strings::select_scratch(d, {}, kRows);
  const WrongInput wrong(
      d, &strings::record_select, strings::SelectStringsDesc{},
      strings::SelectStringsBuffers{
          .in = {.offsets = all.slice(0, kRows + 1).view(),
                 .chars = all.slice(1100, 500).view(),
                 .rows = kRows},
          .mask = {.bits = all.slice(1700, 40).view(), .rows = kRows, .first_bit = 31},
          .out = {.offsets = all.slice(2000, kRows + 1).view(),
                  .chars = all.slice(3100, 500).view()},
          .selected_count = all.slice(3800, 2).view(),
          .report = all.slice(3900, 8).view(),
          .scratch = scratch_view(d, buffer.handle(), 4 * 16'384, need.bytes)});
  wrong.anywhere();
  wrong.scratch("select_scratch()");
  wrong.desc({"schedule is 3"}, [](auto& x) { x.schedule = Schedule(3); });
  wrong.buffers({"in.rows is 2147483648"}, [](auto& x) { x.in.rows = kMaxStringRows + 1; });
  wrong.buffers({"in.offsets.bytes is 4003"}, [](auto& x) { x.in.offsets.bytes = 4003; });
  wrong.buffers({"mask.rows is 999", "1000"}, [](auto& x) { x.mask.rows = 999; });
  wrong.buffers({"mask.first_bit is 32"}, [](auto& x) { x.mask.first_bit = 32; });
  wrong.buffers({"mask.bits.bytes is 128", "132"}, [](auto& x) { x.mask.bits.bytes = 128; });
  wrong.buffers({"out.offset_width is 2"}, [](auto& x) { x.out.offset_width = IndexWidth(2); });
  wrong.buffers({"out.offsets.bytes is 4003"}, [](auto& x) { x.out.offsets.bytes = 4003; });
  wrong.buffers({"selected_count.address is 0"}, [](auto& x) { x.selected_count = {}; });
  wrong.buffers({"selected_count.bytes is 4"}, [](auto& x) { x.selected_count.bytes = 4; });
  wrong.buffers({"selected_count.address", "multiple of 8"},
                [](auto& x) { x.selected_count.address += 4; });
  wrong.buffers({"report.address", "multiple of 8"}, [](auto& x) { x.report.address += 4; });
  wrong.buffers({"mask.bits [", "out.chars [", "overlap"},
                [](auto& x) { x.out.chars.address = x.mask.bits.address; });
  wrong.buffers({"in.chars [", "selected_count [", "overlap"},
                [](auto& x) { x.selected_count.address = x.in.chars.address & ~7ull; });
  wrong.buffers({"out.chars [", "scratch", "overlap"},
                [](auto& x) { x.out.chars.address = x.scratch.address; });
}

TEST_CASE(
    "strings select: warm_up compiles all that recording needs, scratch grows with the rows") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const HostStrings rows = random_strings(40, 1);
  const Bools mask = random_mask(40, 1, 50, true);
  const PlacedColumn column(rows, {});
  const PlacedBits bits(mask, 3);
  const Guarded count(8);
  for (const Schedule schedule : kRopeSchedules) {
    if (!exhaustive() && schedule == Schedule::multi_pass) continue;
    const strings::SelectStringsDesc desc{.schedule = schedule};
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    const auto record = [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& s) {
      return strings::record_select(cmd, cold, desc,
                                    {.in = column.view(),
                                     .mask = bits.view(),
                                     .out = out,
                                     .selected_count = count.view(),
                                     .scratch = s});
    };
    const PlacedResult result(expected_rows(rows, mask), IndexWidth::u32, 0);
    const DirtyScratch scratch(strings::select_scratch(cold, desc, 40));
    expect_error(Status::not_warmed, {"warm_up"},
                 [&](VkCommandBuffer cmd) { return record(cmd, result.out(true), scratch.get()); });
    throw_if_error(warm_up(cold, desc));
    check_rows(expected_rows(rows, mask), {}, strings::select_scratch(cold, desc, 40), record);
  }
  CHECK(warm_up(Device(), strings::SelectStringsDesc{}).code() == Status::invalid_argument);
  const Device& d = device();
  VkDeviceSize last = 1;
  for (std::uint64_t n = 0; n <= kMaxStringRows; n = 2 * n + 1) {
    const VkDeviceSize bytes = strings::select_scratch(d, {}, n).bytes;
    CHECK(bytes >= last);
    last = bytes;
  }
  CHECK(strings::select_scratch(d, {}, kMaxStringRows + 1).bytes == 0);
  CHECK(strings::select_scratch(Device(), {}, 1).bytes == 0);
}

TEST_CASE("strings select: of columns that own their memory, and what comes next") {
  const HostStrings rows{"needle", "", std::nullopt, "hay", "two needles", "stack"};
  const auto in = upload_strings(context(), rows);
  strings::SelectedRows found;
  StringColumn upper;
  context().run([&](Recorder& r) {
    found = strings::select(r, in, strings::contains(r, in, "needle"));
    upper = strings::to_upper(r, found.rows);
  });
  CHECK(context().download(found.count)[0] == 2);
  CHECK(download_strings(context(), upper) == HostStrings{"NEEDLE", "TWO NEEDLES", std::nullopt,
                                                          std::nullopt, std::nullopt,
                                                          std::nullopt});
}

TEST_CASE("strings select: smoke" * doctest::test_suite("smoke")) {
  const HostStrings rows = random_strings(600, 1, {.nulls = 10});
  for (const Schedule schedule : kRopeSchedules) {
    check_select(rows, random_mask(600, 1, 50, true), 5, layout(3, schedule));
  }
}

}  // namespace vkprims::test

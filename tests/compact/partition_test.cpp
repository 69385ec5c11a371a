// Tests of partition.
#include "oracles/partition.hpp"

#include "support/alone_edges.hpp"
#include "support/compact_tile.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/device/lookback.h"

namespace vkprims::test {
namespace {

// Partitions random elements by a comparison with `operand`, and compares the result with the
// oracle.
template <class T>
void check_partition(const Device& d, std::uint64_t n, T operand, PartitionDesc desc,
                     std::uint64_t offset = 0) {
  CAPTURE(n);
  const std::vector<T> values = random_values<T>(n, static_cast<std::uint32_t>(n) + 1);
  std::vector<bool> chosen(n);
  for (std::size_t i = 0; i < n; ++i) chosen[i] = values[i] < operand;
  desc.type = type_of<T>();
  desc.count = n;
  desc.operand = operand;
  const Guarded in(values, offset * sizeof(T));
  const Guarded flags(std::vector<std::uint8_t>(chosen.begin(), chosen.end()), offset);
  const Guarded out(n * sizeof(T), (3 - offset) * sizeof(T));
  const Guarded rejected(desc.one_output ? 0 : n * sizeof(T), 2 * offset * sizeof(T));
  const Guarded count(8, 8);
  const DirtyScratch scratch(partition_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_partition(cmd, d, desc,
                         {.in = in.view(),
                          .flags = desc.by == SelectBy::bytes ? flags.view() : BufferView{},
                          .out = out.view(),
                          .rejected = desc.one_output ? BufferView{} : rejected.view(),
                          .selected_count = count.view(),
                          .scratch = scratch.get()}));
  });
  const oracle::Parts<T> parts = oracle::partition(values, chosen);
  REQUIRE(count.read<std::uint64_t>()[0] == parts.selected.size());
  std::vector<T> first = out.read<T>();
  std::vector<T> second;
  if (desc.one_output) {
    second.assign(first.begin() + std::ptrdiff_t(parts.selected.size()), first.end());
  } else {
    second = rejected.read<T>();
    second.resize(parts.rejected.size());
  }
  first.resize(parts.selected.size());
  CHECK(difference(first, parts.selected) == "");
  CHECK(difference(second, parts.rejected) == "");
}

}  // namespace

TEST_CASE("partition: both outputs, or both parts of one, are stable around tile edges") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const bool one_output : {false, true}) {
      for (const Schedule schedule :
           {Schedule::look_back, Schedule::multi_pass, Schedule::automatic}) {
        if (one_output && schedule == Schedule::look_back) continue;
        if (tuning.scan_rows == 0 && schedule != Schedule::automatic) continue;
        for (const std::uint64_t n : edge_counts(compact_tile(d, 4))) {
          CAPTURE(one_output);
          const PartitionDesc desc{
              .by = SelectBy::predicate, .one_output = one_output, .schedule = schedule};
          check_partition<std::uint32_t>(d, n, 1u << 30, desc);
          if (n % 3 == 1) check_partition<double>(d, n, 0.5, desc);
        }
      }
    }
  }
}

TEST_CASE("partition: few elements, where each workgroup finds by itself what comes before it") {
  const Device& d = device(kAloneTuning);
  for (const std::uint64_t n : alone_edges(d, 4)) {
    for (const bool one_output : {false, true}) {
      const PartitionDesc desc{.by = SelectBy::predicate, .one_output = one_output};
      check_partition<std::uint32_t>(d, n, 1u << 30, desc, n % 4);
    }
  }
}

TEST_CASE("partition: all or none chosen, by flags, unaligned views") {
  const Device& d = device(kTinyTiles);
  for (const bool one_output : {false, true}) {
    for (std::uint64_t offset = 0; offset < 4; ++offset) {
      for (const std::uint32_t operand : {0u, 1u << 31, ~0u}) {
        const PartitionDesc desc{.by = SelectBy::bytes, .one_output = one_output};
        check_partition<std::uint32_t>(d, 5 * compact_tile(d, 4) + 3 * offset + 1, operand, desc,
                                       offset);
      }
    }
  }
}

TEST_CASE("partition: silent, late and shuffled tiles change nothing") {
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT, VKP_LOOKBACK_DELAYED | VKP_LOOKBACK_SHUFFLED, VKP_LOOKBACK_FORCED}) {
    Tuning tuning = kTinyTiles;
    tuning.spin_limit = 8;
    const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = 2});
    check_partition<std::uint32_t>(d, 90 * compact_tile(d, 4) + 7, 1u << 31,
                                   {.by = SelectBy::predicate, .schedule = Schedule::look_back});
  }
}

TEST_CASE("partition: a count from the GPU moves the place of the rejected elements") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(100'000, 3);
  const auto in = context().upload(values);
  for (const std::uint32_t n : {0u, 777u, 200'000u}) {
    const auto count = device_count(n);
    const Guarded out(4 * values.size()), selected(8);
    const PartitionDesc desc{.by = SelectBy::predicate,
                             .operand = 1u << 31,
                             .one_output = true,
                             .count = {values.size(), count.address()}};
    const DirtyScratch scratch(partition_scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_partition(cmd, d, desc,
                                      {.in = in.view(),
                                       .out = out.view(),
                                       .selected_count = selected.view(),
                                       .scratch = scratch.get()}));
    });
    const std::size_t used = std::min<std::size_t>(n, values.size());
    std::vector<std::uint32_t> expected(values.begin(), values.begin() + std::ptrdiff_t(used));
    const auto middle = std::stable_partition(expected.begin(), expected.end(),
                                              [](std::uint32_t x) { return x < 1u << 31; });
    CHECK(selected.read<std::uint64_t>()[0] == std::uint64_t(middle - expected.begin()));
    expected.resize(values.size(), 0xcdcdcdcdu);
    CHECK(difference(out.read<std::uint32_t>(), expected) == "");
  }
}

TEST_CASE("partition: replayed 100 times with one dirty scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 9 * compact_tile(d, 4) + 5;
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(n, 11);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const auto selected = context().allocate<std::uint64_t>(2);
  const PartitionDesc desc{
      .by = SelectBy::predicate, .operand = 1u << 31, .one_output = true, .count = n};
  const DirtyScratch scratch(partition_scratch(d, desc));
  std::vector<std::uint32_t> expected = values;
  std::stable_partition(expected.begin(), expected.end(),
                        [](std::uint32_t x) { return x < 1u << 31; });
  expected.insert(expected.end(), expected.begin(), expected.begin() + std::ptrdiff_t(n));
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(2 * n, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_partition(cmd, d, desc,
                                {.in = in.view(),
                                 .out = out.slice(n * i, n).view(),
                                 .selected_count = selected.slice(i, 1).view(),
                                 .scratch = scratch.get()});
      },
      [&] { CHECK(difference(context().download(out), expected) == ""); });
}

TEST_CASE("partition: through the overload for Recorder, warmed up before") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  throw_if_error(warm_up(cold, PartitionDesc{.by = SelectBy::predicate, .operand = 1u}));
  throw_if_error(
      warm_up(cold, PartitionDesc{.by = SelectBy::predicate, .operand = 1u, .one_output = true}));
  for (const bool one_output : {false, true}) {
    for (const std::uint64_t n : {std::uint64_t{10}, 3 * compact_tile(cold, 4)}) {
      check_partition<std::uint32_t>(cold, n, 1u << 31,
                                     {.by = SelectBy::predicate, .one_output = one_output});
    }
  }
  const std::vector<std::int32_t> values = random_values<std::int32_t>(5000, 12);
  const auto in = context().upload(values);
  const auto negative = context().allocate<std::int32_t>(5000),
             rest = context().allocate<std::int32_t>(5000);
  const auto count = context().allocate<std::uint64_t>(1);
  context().run([&](Recorder& r) {
    partition(r, {.predicate = Predicate::less, .operand = 0}, in, negative, rest, count);
  });
  const std::uint64_t n = context().download(count)[0];
  std::vector<std::int32_t> expected = values;
  std::stable_partition(expected.begin(), expected.end(), [](std::int32_t x) { return x < 0; });
  std::vector<std::int32_t> result = context().download(negative, 0, n);
  for (const std::int32_t x : context().download(rest, 0, 5000 - n)) result.push_back(x);
  CHECK(difference(result, expected) == "");
}

TEST_CASE("partition: the size query is monotone in the count and 0 for an invalid descriptor") {
  check_scratch_query(&partition_scratch);
}

TEST_CASE("partition: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const PartitionDesc desc{.count = 100'000};
  const ScratchNeed need = partition_scratch(d, desc);
  const PartitionBuffers good{.in = all.slice(0, 100'000).view(),
                              .flags = all.slice(100'000, 25'000).view(),
                              .out = all.slice(200'000, 100'000).view(),
                              .rejected = all.slice(300'000, 100'000).view(),
                              .selected_count = all.slice(400'000, 2).view(),
                              .scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_partition, desc, good);
  wrong.anywhere();
  wrong.scratch("partition_scratch()");
  wrong.desc({"partition: by is 3"}, [](auto& x) { x.by = SelectBy(3); });
  wrong.desc({"schedule is look_back", "one output"}, [](auto& x) {
    x.one_output = true;
    x.schedule = Schedule::look_back;
  });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"rejected.address is 0"}, [](auto& x) { x.rejected.address = 0; });
  wrong.buffers({"rejected.bytes is 399999"}, [](auto& x) { x.rejected.bytes -= 1; });
  wrong.buffers({"out [", "rejected [", "overlap"},
                [](auto& x) { x.rejected.address = x.out.address; });
  wrong.buffers({"in [", "rejected [", "overlap"},
                [](auto& x) { x.rejected.address = x.in.address; });
}

TEST_CASE("partition: smoke" * doctest::test_suite("smoke")) {
  check_partition<std::uint32_t>(device(kTinyTiles), 1500, 1u << 31,
                                 {.by = SelectBy::predicate, .schedule = Schedule::look_back});
}

}  // namespace vkprims::test

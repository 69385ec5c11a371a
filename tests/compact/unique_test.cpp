// Tests of unique.
#include "oracles/unique.hpp"

#include <array>
#include <limits>

#include "support/alone_edges.hpp"
#include "support/compact_tile.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/device/lookback.h"

namespace vkprims::test {
namespace {

// Returns runs of random lengths with mean `mean`; equal neighbours are rare where it is 1. Floats
// include zeros and NaN of both signs.
template <class T>
std::vector<T> runs(std::uint64_t n, std::uint32_t mean, std::uint32_t seed) {
  std::vector<T> values(n);
  T value{};
  std::size_t i = 0;
  for (const std::uint32_t random : random_values<std::uint32_t>(n, seed)) {
    if (random % mean == 0) {
      value = static_cast<T>(random >> 8);
      if constexpr (std::is_floating_point_v<T>) {
        if (random % 5 == 0) value = std::numeric_limits<T>::quiet_NaN();
        if (random % 5 == 1) value = T(0);
      }
      if constexpr (sizeof(T) == 8 && std::is_integral_v<T>) value <<= random % 33;
    }
    const bool negative =
        std::is_floating_point_v<T> && (value == T(0) || value != value) && random % 2;
    values[i++] = negative ? -value : value;
  }
  return values;
}

struct Options {
  const Device* device;
  UniqueDesc desc = {};
  std::uint64_t in_offset = 0, out_offset = 0;
  bool out = true, indices = true;
};

template <class T>
void check_unique(const std::vector<T>& values, Options o) {
  const std::uint64_t n = values.size();
  CAPTURE(n);
  o.desc.type = type_of<T>();
  o.desc.count = n;
  const std::uint64_t words = o.desc.value_bytes / 4;
  const std::vector<std::uint32_t> extra = random_values<std::uint32_t>(n * words, 77);
  const Guarded in(values, o.in_offset * sizeof(T));
  const Guarded values_in(extra, o.out_offset * 4), values_out(n * words * 4, o.in_offset * 4);
  const Guarded out(o.out ? n * sizeof(T) : 0, o.out_offset * sizeof(T));
  const Guarded indices(o.indices ? n * 4 : 0, o.out_offset * 4);
  const Guarded count(8, 8);
  const DirtyScratch scratch(unique_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_unique(cmd, *o.device, o.desc,
                                 {.in = in.view(),
                                  .out = o.out ? out.view() : BufferView{},
                                  .values_in = words ? values_in.view() : BufferView{},
                                  .values_out = words ? values_out.view() : BufferView{},
                                  .indices = o.indices ? indices.view() : BufferView{},
                                  .unique_count = count.view(),
                                  .scratch = scratch.get()}));
  });
  const auto expected = oracle::select(values, oracle::run_heads(values, o.desc.float_order));
  const std::size_t unique = expected.elements.size();
  REQUIRE(count.read<std::uint64_t>()[0] == unique);
  if (o.out) {
    std::vector<T> result = out.read<T>();
    result.resize(unique);
    CHECK(same_bits(result, expected.elements));
  }
  const std::vector<std::uint32_t> moved = values_out.read<std::uint32_t>();
  const std::vector<std::uint32_t> numbers = indices.read<std::uint32_t>();
  for (std::size_t i = 0; i < unique; ++i) {
    const std::uint64_t from = expected.indices[i];
    if (o.indices) REQUIRE(numbers[i] == from);
    for (std::size_t w = 0; w < words; ++w)
      REQUIRE(moved[i * words + w] == extra[from * words + w]);
  }
  const auto kept = [](std::uint32_t word) { return word == 0xcdcdcdcd; };
  CHECK(
      std::all_of(moved.begin() + static_cast<std::ptrdiff_t>(unique * words), moved.end(), kept));
}

}  // namespace

TEST_CASE("unique: the first of every run, for all types and mean run lengths, around tile edges") {
  const auto check = [&](const Device& d, Schedule schedule, auto zero) {
    using T = decltype(zero);
    std::uint32_t mean = 1;
    for (const std::uint64_t n : edge_counts(compact_tile(d, sizeof(T)))) {
      check_unique(runs<T>(n, mean, static_cast<std::uint32_t>(n)),
                   {.device = &d, .desc = {.schedule = schedule}});
      mean = mean == 1 ? 16 : mean == 16 ? 100'000 : 1;
    }
  };
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    check(device(kTinyTiles), schedule, std::uint32_t{});
    check(device(kTinyTiles), schedule, double{});
  }
  check(device(), Schedule::automatic, std::uint64_t{});
  check(device(), Schedule::automatic, float{});
  if (subset()) return;
  check(device(kTinyTiles), Schedule::look_back, std::int32_t{});
  check(device(kTinyTiles), Schedule::look_back, std::int64_t{});
}

TEST_CASE("unique: few elements, where each workgroup finds by itself what comes before it") {
  const Device& d = device(kAloneTuning);
  for (const std::uint64_t n : alone_edges(d, 4)) {
    check_unique(runs<std::uint32_t>(n, 1 + n % 20, 5), {.device = &d, .in_offset = n % 4});
  }
}

TEST_CASE("unique: floats by their bits, so that zeros and NaN of two signs are two runs") {
  const UniqueDesc desc{.schedule = Schedule::look_back, .float_order = FloatOrder::by_bits};
  check_unique(runs<float>(1500, 4, 1), {.device = &device(kTinyTiles), .desc = desc});
  if (!subset())
    check_unique(runs<double>(1500, 4, 1), {.device = &device(kTinyTiles), .desc = desc});
}

TEST_CASE("unique: values of 4, 8 and 16 bytes go with their keys, at any alignment") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t bytes : {4u, 8u, 16u}) {
    for (std::uint64_t offset = 0; offset < 4; ++offset) {
      const Options o{.device = &d,
                      .desc = {.value_bytes = bytes, .schedule = Schedule::look_back},
                      .in_offset = offset,
                      .out_offset = 3 - offset,
                      .out = offset % 2 == 0};
      const std::uint32_t mean = std::array{1u, 2u, 4u, 50u}[offset];
      check_unique(runs<std::uint32_t>(4 * compact_tile(d, 4) + offset, mean, 5), o);
      if (bytes == 8)
        check_unique(runs<std::uint64_t>(4 * compact_tile(d, 8) + offset, mean, 6), o);
    }
  }
  // A tile has several batches here: the numbers of all or of only some of them are held at once.
  for (const std::uint32_t mean : {1u, 2u, 20u}) {
    check_unique(runs<std::uint32_t>(3 * compact_tile(device(), 4), mean, 7),
                 {.device = &device(),
                  .desc = {.value_bytes = 8, .schedule = Schedule::look_back},
                  .in_offset = 1});
  }
}

TEST_CASE("unique: silent, late and shuffled tiles change nothing") {
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT, VKP_LOOKBACK_DELAYED | VKP_LOOKBACK_SHUFFLED, VKP_LOOKBACK_FORCED}) {
    Tuning tuning = kTinyTiles;
    tuning.spin_limit = 8;
    const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = 2});
    check_unique(runs<std::uint32_t>(90 * compact_tile(d, 4) + 7, 2, 8),
                 {.device = &d, .desc = {.schedule = Schedule::look_back}});
  }
}

TEST_CASE("unique: a count from the GPU, recorded twice and replayed") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = runs<std::uint32_t>(3'000'000, 4, 9);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(values.size() + 2000);
  const auto unique_count = context().allocate<std::uint64_t>(2);
  const auto count = device_count(2000u);
  const UniqueDesc desc{.count = {values.size(), count.address()}};
  const DirtyScratch scratch(unique_scratch(d, desc));
  const std::vector<std::uint32_t> used(values.begin(), values.begin() + 2000);
  const std::vector<std::uint32_t> expected =
      oracle::select(used, oracle::run_heads(used)).elements;
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_unique(cmd, d, desc,
                             {.in = in.view(),
                              .out = out.slice(2000 * i, values.size()).view(),
                              .unique_count = unique_count.slice(i, 1).view(),
                              .scratch = scratch.get()});
      },
      [&] {
        CHECK(context().download(unique_count) == std::vector<std::uint64_t>(2, expected.size()));
        CHECK(context().download(out, 0, expected.size()) == expected);
        CHECK(context().download(out, 2000, expected.size()) == expected);
      });
}

TEST_CASE("unique: through the overload for Recorder, warmed up before") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  const UniqueDesc desc{.value_bytes = 4};
  throw_if_error(warm_up(cold, desc));
  for (const std::uint64_t n : {std::uint64_t{10}, 3 * compact_tile(cold, 4)}) {
    check_unique(runs<std::uint32_t>(n, 2, 3), {.device = &cold, .desc = desc});
  }
  const auto in = context().upload(std::vector<std::uint32_t>{1, 1, 2, 2, 2, 3, 1});
  const auto out = context().allocate<std::uint32_t>(7);
  const auto count = context().allocate<std::uint64_t>(1);
  context().run([&](Recorder& r) { unique(r, {}, in, out, count); });
  CHECK(context().download(count)[0] == 4);
  CHECK(context().download(out, 0, 4) == std::vector<std::uint32_t>{1, 2, 3, 1});
}

TEST_CASE("unique: the size query is monotone in the count and 0 for an invalid descriptor") {
  check_scratch_query(&unique_scratch);
}

TEST_CASE("unique: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const UniqueDesc desc{.value_bytes = 4, .count = 100'000};
  const ScratchNeed need = unique_scratch(d, desc);
  const UniqueBuffers good{.in = all.slice(0, 100'000).view(),
                           .out = all.slice(100'000, 100'000).view(),
                           .values_in = all.slice(200'000, 100'000).view(),
                           .values_out = all.slice(300'000, 100'000).view(),
                           .unique_count = all.slice(400'000, 2).view(),
                           .scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_unique, desc, good);
  wrong.anywhere();
  wrong.scratch("unique_scratch()");
  wrong.desc({"value_bytes is 3", "0, 4, 8 or 16"}, [](auto& x) { x.value_bytes = 3; });
  wrong.desc({"values_in is given", "value_bytes is 0"}, [](auto& x) { x.value_bytes = 0; });
  wrong.desc({"float_order is 2"}, [](auto& x) { x.float_order = FloatOrder(2); });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"values_in.address is 0"}, [](auto& x) { x.values_in.address = 0; });
  wrong.buffers({"values_out.bytes is 399999"}, [](auto& x) { x.values_out.bytes -= 1; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  wrong.buffers({"values_in [", "values_out [", "overlap"},
                [](auto& x) { x.values_out.address = x.values_in.address; });
  wrong.buffers({"unique_count.address is 0"}, [](auto& x) { x.unique_count.address = 0; });
}

TEST_CASE("unique: smoke" * doctest::test_suite("smoke")) {
  check_unique(
      runs<std::uint32_t>(1500, 3, 1),
      {.device = &device(kTinyTiles), .desc = {.schedule = Schedule::look_back}, .indices = false});
}

}  // namespace vkprims::test

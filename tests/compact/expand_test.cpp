// Tests of expand.
#include "oracles/expand.hpp"

#include <algorithm>

#include "compact/expand/expand.abi.h"
#include "reduce/segmented.hpp"
#include "spirv/expand.hpp"
#include "support/every_primitive.hpp"
#include "support/segment_lengths.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/expand.hpp"

namespace vkprims::test {
namespace {

const RegisterPrimitive kExpand([](std::uint64_t n) {
  return any_primitive("expand", record_expand, ExpandDesc{.count = n, .capacity = 2 * n},
                       ExpandBuffers{.in = view_at(1),
                                     .indices = view_at(2),
                                     .ranks = view_at(3),
                                     .total = view_at(4),
                                     .report = view_at(5),
                                     .scratch = some_scratch()});
});

std::uint64_t tile_of(const Device& d) { return segmented_plan(*d.state(), 1, 0, 0).tile_items; }

struct Options {
  const Device* device;
  bool indices = true, ranks = true;                      // wanted
  std::uint64_t in_at = 0, indices_at = 0, ranks_at = 0;  // in elements
  Count count = {};                                       // not given: all
  std::uint64_t existing = ~std::uint64_t{0};             // items that the count leaves
  std::uint64_t capacity = ~std::uint64_t{0};             // not given: what is needed
};

// Expected results of `capacity` places, of which those that are not filled keep what is there.
template <class Index>
std::vector<Index> expected(const std::vector<std::optional<std::uint64_t>>& filled,
                            std::uint64_t capacity) {
  std::vector<Index> all(capacity);
  std::fill_n(reinterpret_cast<std::uint8_t*>(all.data()), capacity * sizeof(Index), 0xcd);
  for (std::size_t i = 0; i < filled.size(); ++i) {
    if (filled[i]) all[i] = static_cast<Index>(*filled[i]);
  }
  return all;
}

template <class Index, class In>
void check(ExpandInput input, const std::vector<In>& x, Options o) {
  const bool counts = input == ExpandInput::counts;
  const std::uint64_t items = counts ? x.size() : x.size() - 1;
  if (!o.count.given()) o.count = o.existing = items;
  const auto used = std::span<const In>(x).first(o.existing + (counts ? 0 : 1));
  const auto expand = [&](std::uint64_t capacity) {
    return counts ? oracle::expand_counts<In>(used, capacity)
                  : oracle::expand_offsets<In>(used, capacity);
  };
  if (o.capacity == ~std::uint64_t{0}) o.capacity = expand(0).needed;
  const oracle::Expansion want = expand(o.capacity);

  const Guarded in(x, o.in_at * sizeof(In));
  const Guarded indices(o.capacity * sizeof(Index), o.indices_at * sizeof(Index));
  const Guarded ranks(o.capacity * sizeof(Index), o.ranks_at * sizeof(Index));
  const Guarded total(8);
  const auto report = context().upload(std::vector<DeviceReport>(1));
  const auto width = [](std::size_t size) { return size == 8 ? IndexWidth::u64 : IndexWidth::u32; };
  const ExpandDesc desc{.input = input,
                        .in_width = width(sizeof(In)),
                        .index_width = width(sizeof(Index)),
                        .count = o.count,
                        .capacity = o.capacity};
  const DirtyScratch scratch(expand_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_expand(cmd, *o.device, desc,
                                 {.in = in.view(),
                                  .indices = o.indices ? indices.view() : BufferView(),
                                  .ranks = o.ranks ? ranks.view() : BufferView(),
                                  .total = total.view(),
                                  .report = report.view(),
                                  .scratch = scratch.get()}));
  });
  CHECK(in.read<In>() == x);
  const auto none = expected<Index>({}, o.capacity);
  CHECK(difference(indices.read<Index>(),
                   o.indices ? expected<Index>(want.indices, o.capacity) : none) == "");
  CHECK(difference(ranks.read<Index>(), o.ranks ? expected<Index>(want.ranks, o.capacity) : none) ==
        "");
  CHECK(total.read<std::uint64_t>()[0] == std::min(want.needed, o.capacity));
  const DeviceReport found = context().download(report)[0];
  const bool exceeded = want.needed > o.capacity;
  CHECK(found.code == (exceeded ? DeviceReport::capacity_exceeded : DeviceReport::ok));
  CHECK(found.count == (exceeded ? want.needed - o.capacity : 0));
  CHECK(found.first_index == (exceeded ? o.capacity : 0));
  CHECK(found.needed == (exceeded ? want.needed : 0));
}

template <class T>
std::vector<T> counts_of(Spread spread, std::uint64_t n, std::uint32_t seed = 1) {
  const auto all = lengths(spread, n, seed);
  return std::vector<T>(all.begin(), all.end());
}

using u32 = std::uint32_t;
using u64 = std::uint64_t;

}  // namespace

TEST_CASE("expand: places spread over items in every way, around the edges of tiles") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles, kSearchingTiles})) {
    const Device& d = device(tuning);
    std::vector<u64> sizes = edge_counts(tile_of(d));
    sizes.push_back(100'000);
    for (const Spread spread : kSpreads) {
      for (const u64 n : sizes) {
        CAPTURE(static_cast<int>(spread));
        CAPTURE(n);
        const auto counts = counts_of<u32>(spread, n, static_cast<u32>(n));
        check<u32>(ExpandInput::counts, counts, {.device = &d});
        const auto offsets = offsets_of<u32>(lengths(spread, n, static_cast<u32>(n)));
        check<u32>(ExpandInput::offsets, offsets, {.device = &d});
      }
    }
  }
}

TEST_CASE("expand: each number of items and places together, round the edge of a tile") {
  const u64 tile = tile_of(device(kTinyTiles));
  for (const u64 sum : {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1}) {
    for (const u64 items : {u64{1}, u64{2}, tile / 2, tile - 1, tile}) {
      if (items > sum) continue;
      CAPTURE(sum);
      CAPTURE(items);
      std::vector<u64> sizes(items, 0);
      sizes[items / 2] = sum - items;
      for (const Tuning& tuning : {kTinyTiles, kSearchingTiles}) {
        check<u32>(ExpandInput::offsets, offsets_of<u32>(sizes), {.device = &device(tuning)});
      }
    }
  }
}

TEST_CASE("expand: thousands of items without places, and nothing but them") {
  const Device& d = device(kTinyTiles);
  for (const u64 items : {1, 2, 127, 1000, 100'000}) {
    CAPTURE(items);
    std::vector<u32> counts(items);
    check<u32>(ExpandInput::counts, counts, {.device = &d});
    counts[items / 2] = 3;
    check<u32>(ExpandInput::counts, counts, {.device = &d});
    counts.back() = 1000;
    check<u32>(ExpandInput::counts, counts, {.device = &d});
  }
}

TEST_CASE("expand: both widths of either side") {
  const Device& d = device(kTinyTiles);
  for (const Spread spread : {Spread::tens, Spread::empty_runs}) {
    const auto offsets = lengths(spread, 5000, 2);
    check<u64>(ExpandInput::offsets, offsets_of<u32>(offsets), {.device = &d});
    check<u32>(ExpandInput::offsets, offsets_of<u64>(offsets), {.device = &d});
    check<u64>(ExpandInput::offsets, offsets_of<u64>(offsets), {.device = &d});
    check<u64>(ExpandInput::counts, counts_of<u32>(spread, 5000), {.device = &d});
    if (d.features().int64) {
      check<u32>(ExpandInput::counts, counts_of<u64>(spread, 5000), {.device = &d});
    }
  }
}

TEST_CASE("expand: views that begin at any element, and each output alone") {
  const Device& d = device(kTinyTiles);
  const auto counts = counts_of<u32>(Spread::tens, 3000);
  for (u64 at = 0; at < 64; ++at) {
    CAPTURE(at);
    check<u32>(ExpandInput::counts, counts,
               {.device = &d, .in_at = at / 16, .indices_at = at / 4 % 4, .ranks_at = at % 4});
  }
  const auto offsets = offsets_of<u64>(lengths(Spread::half_empty, 3000, 3));
  for (u64 at = 0; at < 4; ++at) {
    CAPTURE(at);
    check<u64>(ExpandInput::offsets, offsets,
               {.device = &d, .in_at = at / 2, .indices_at = at % 2, .ranks_at = at / 2});
  }
  for (u64 at = 0; at < 4; ++at) {
    CAPTURE(at);
    check<u32>(ExpandInput::offsets, offsets, {.device = &d, .ranks = false, .indices_at = at});
    check<u32>(ExpandInput::offsets, offsets, {.device = &d, .indices = false, .ranks_at = at});
  }
}

TEST_CASE("expand: the first offset need not be 0, and nothing is written before it") {
  const Device& d = device(kTinyTiles);
  for (const u64 first : {1, 2, 3, 4, 517, 9999}) {
    CAPTURE(first);
    const auto offsets = offsets_of<u32>(lengths(Spread::tens, 20'000, 6), first);
    check<u32>(ExpandInput::offsets, offsets, {.device = &d});
    check<u32>(ExpandInput::offsets, offsets, {.device = &d, .capacity = first - 1});
    check<u32>(ExpandInput::offsets, offsets, {.device = &d, .capacity = first + 1});
  }
  // The high words of offsets are not lost: all places lie behind what there is room for.
  const std::vector<u64> far{(u64{1} << 32) + 5, (u64{1} << 32) + 9};
  const Guarded in(far), indices(40), total(8);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_expand(
        cmd, d,
        {.input = ExpandInput::offsets, .in_width = IndexWidth::u64, .count = 1, .capacity = 10},
        {.in = in.view(), .indices = indices.view(), .total = total.view()}));
  });
  CHECK(difference(indices.read<u32>(), std::vector<u32>(10, 0xcdcdcdcd)) == "");
  CHECK(total.read<u64>()[0] == 10);
}

TEST_CASE("expand: what there is no room for is left out, and reported") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles, kSearchingTiles})) {
    const Device& d = device(tuning);
    for (const Spread spread : {Spread::tens, Spread::one, Spread::empty_runs}) {
      for (const u64 n : {10, 3000, 50'000}) {
        const auto counts = counts_of<u32>(spread, n);
        for (const u64 capacity : {u64{0}, u64{1}, n / 2, n - 1, n, n + 1, 2 * n}) {
          CAPTURE(n);
          CAPTURE(capacity);
          check<u32>(ExpandInput::counts, counts, {.device = &d, .capacity = capacity});
        }
      }
    }
  }
}

TEST_CASE("expand: the number of items may be read on the GPU and is clamped to max") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles, kSearchingTiles}) {
    const Device& d = device(tuning);
    const bool searches = tuning.small_count != 0;  // otherwise more than 4,096 tiny tiles
    const u64 places = searches ? 150'000 : 2'200'000;
    const auto counts = counts_of<u32>(Spread::tens, places);
    const u64 max = counts.size();
    for (const u64 n : {u64{0}, u64{1}, u64{5000}, max, 2 * max}) {
      for (const bool wide : {false, true}) {
        CAPTURE(n);
        CAPTURE(wide);
        const auto count = device_count(wide ? n | (n > max ? u64{1} << 40 : 0) : n);
        const Count given(max, count.address(), wide ? CountWidth::u64 : CountWidth::u32);
        check<u32>(
            ExpandInput::counts, counts,
            {.device = &d, .count = given, .existing = std::min(n, max), .capacity = places});
      }
    }
  }
}

TEST_CASE("expand: offsets that make no sense touch nothing outside of the views") {
  const auto check_hostile = [&](const Device& d, auto zero, u64 items, u64 capacity) {
    using In = decltype(zero);
    for (const std::vector<In>& offsets : hostile_offsets<In>(items, capacity)) {
      const Guarded in(offsets), indices(4 * capacity, 4), ranks(4 * capacity);
      const ExpandDesc desc{.input = ExpandInput::offsets,
                            .in_width = sizeof(In) == 8 ? IndexWidth::u64 : IndexWidth::u32,
                            .count = items,
                            .capacity = capacity};
      const DirtyScratch scratch(expand_scratch(d, desc));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_expand(cmd, d, desc,
                                     {.in = in.view(),
                                      .indices = indices.view(),
                                      .ranks = ranks.view(),
                                      .scratch = scratch.get()}));
      });
      const auto found = indices.read<u32>();
      CHECK(std::ranges::all_of(found, [&](u32 i) { return i <= items || i == 0xcdcdcdcd; }));
      CHECK(ranks.read<u32>().size() == capacity);
    }
  };
  for (const u64 capacity : {100, 30'000}) {
    for (const u64 items : {1, 40, 3000, 50'000}) {
      for (const Tuning& tuning : {kTinyTiles, kSearchingTiles}) {
        check_hostile(device(tuning), u32{}, items, capacity);
        check_hostile(device(tuning), u64{}, items, capacity);
      }
    }
  }
}

TEST_CASE("expand: nothing to expand, and items without room") {
  for (const ExpandInput input : {ExpandInput::counts, ExpandInput::offsets}) {
    const std::vector<u32> none(input == ExpandInput::counts ? 0 : 1);
    check<u32>(input, none, {.device = &device()});
    check<u32>(input, none, {.device = &device(), .capacity = 100'000});
  }
}

TEST_CASE("expand: steps of a Recorder, from counts and from offsets") {
  const auto counts = context().upload(std::vector<u32>{2, 0, 3});
  const auto offsets = context().upload(std::vector<u64>{1, 1, 4});
  const auto indices = context().allocate<u32>(5), ranks = context().allocate<u32>(6);
  const auto wide = context().upload(std::vector<u64>(4, 77));
  const auto total = context().allocate<u64>(1);
  const auto report = context().upload(std::vector<DeviceReport>(1));
  context().run([&](Recorder& r) {
    expand(r, {}, counts, indices, ranks, {.total = total, .report = report});
    expand(r, {.input = ExpandInput::offsets}, offsets, not_wanted, wide);
  });
  CHECK(context().download(indices) == std::vector<u32>{0, 0, 2, 2, 2});
  auto first = context().download(ranks);
  first.resize(5);
  CHECK(first == std::vector<u32>{0, 1, 0, 1, 2});
  CHECK(context().download(wide) == std::vector<u64>{77, 0, 1, 2});
  CHECK(context().download(total)[0] == 5);
  CHECK(context().download(report)[0].code == DeviceReport::ok);
}

TEST_CASE("expand: recorded twice in one command buffer, and replayed, with one dirty scratch") {
  const Device& d = device(kTinyTiles);
  const auto counts = counts_of<u32>(Spread::power_law, 30'000);
  const auto want = oracle::expand_counts<u32>(counts, 30'000);
  const auto in = context().upload(counts);
  const auto out = context().allocate<u32>(60'000);
  const ExpandDesc desc{.count = counts.size(), .capacity = 30'000};
  const DirtyScratch scratch(expand_scratch(d, desc));
  auto twice = expected<u32>(want.indices, 30'000);
  twice.resize(60'000);
  std::copy_n(twice.begin(), 30'000, twice.begin() + 30'000);
  replay(
      d, [&] { context().write(out, std::vector<u32>(60'000, 77)); },
      [&](VkCommandBuffer cmd, u64 i) {
        return record_expand(cmd, d, desc,
                             {.in = in.view(),
                              .indices = out.slice(i * 30'000, 30'000).view(),
                              .scratch = scratch.get()});
      },
      [&] { CHECK(difference(context().download(out), twice) == ""); });
}

TEST_CASE("expand: the size query is monotone in both numbers and 0 for an invalid descriptor") {
  const Device& d = device(kTinyTiles);
  for (const ExpandInput input : {ExpandInput::counts, ExpandInput::offsets}) {
    check_monotone([&](u64 n) {
      const ExpandDesc desc{
          .input = input, .index_width = IndexWidth::u64, .count = n, .capacity = n};
      ExpandDesc less = desc;
      less.capacity = n / 2;
      const VkDeviceSize bytes = expand_scratch(d, desc).bytes;
      CHECK(bytes >= expand_scratch(d, less).bytes);
      return bytes;
    });
  }
  CHECK(expand_scratch(d, {.input = ExpandInput::offsets, .count = 0, .capacity = 9999}).bytes ==
        0);
  CHECK(expand_scratch(d, {.count = kMaxCount + 1}).bytes == 0);
  CHECK(expand_scratch(d, {.count = 9, .capacity = kMaxCount + 1}).bytes == 0);
  CHECK(expand_scratch(Device(), {.count = 1 << 20}).bytes == 0);
}

TEST_CASE("expand: warm_up compiles everything that is used") {
  DeviceInfo info = device(kSearchingTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  observe(d);
  const auto number = device_count<u32>(100'000);
  throw_if_error(warm_up(d, ExpandDesc{.count = Count(1, number.address())}));
  for (const u64 n : {10, 30'000, 300'000, 3'000'000}) {
    const auto counts = counts_of<u32>(Spread::tens, n);
    const u64 existing = std::min<u64>(counts.size(), 100'000);
    check<u32>(ExpandInput::counts, counts, {.device = &d});
    check<u32>(
        ExpandInput::counts, counts,
        {.device = &d, .count = Count(counts.size(), number.address()), .existing = existing});
  }
  throw_if_error(warm_up(d, ExpandDesc{.input = ExpandInput::offsets}));
  check<u32>(ExpandInput::offsets, offsets_of<u32>(lengths(Spread::tens, 9999, 1)), {.device = &d});
}

TEST_CASE("expand: wrong input is refused by name before anything is recorded") {
  const auto memory = context().allocate<u32>(8000);
  const ExpandDesc desc{.count = 500, .capacity = 1000};
  const DirtyScratch scratch(expand_scratch(device(), desc));
  const ExpandBuffers good{.in = memory.slice(0, 500).view(),
                           .indices = memory.slice(1000, 1000).view(),
                           .ranks = memory.slice(2000, 1000).view(),
                           .total = memory.slice(3000, 2).view(),
                           .report = memory.slice(3008, 8).view(),
                           .scratch = scratch.get()};
  const WrongInput wrong(device(), record_expand, desc, good);
  wrong.anywhere();
  wrong.scratch("expand_scratch");
  wrong.desc({"input is 2", "0 … 1"}, [](auto& x) { x.input = ExpandInput(2); });
  wrong.desc({"in_width is 2", "0 … 1"}, [](auto& x) { x.in_width = IndexWidth(2); });
  wrong.desc({"index_width is 2", "0 … 1"}, [](auto& x) { x.index_width = IndexWidth(2); });
  wrong.desc({"capacity is 274877906945", "274877906944"},
             [](auto& x) { x.capacity = kMaxCount + 1; });
  wrong.desc({"capacity is 4294967297", "2^32"}, [](auto& x) { x.capacity = (u64{1} << 32) + 1; });
  wrong.desc({"count is 4294967297", "2^32"}, [](auto& x) { x.count = (u64{1} << 32) + 1; });
  wrong.desc({"indices.bytes is 4000", "4004", "capacity"}, [](auto& x) { x.capacity = 1001; });
  wrong.desc({"in.bytes is 2000", "2004", "count + 1"},
             [](auto& x) { x.input = ExpandInput::offsets; });
  wrong.buffers({"in.bytes is 1996", "2000"}, [](auto& x) { x.in.bytes = 1996; });
  wrong.buffers({"indices and ranks"}, [](auto& x) { x.indices = x.ranks = {}; });
  wrong.buffers({"ranks.address", "multiple of 4"}, [](auto& x) { x.ranks.address += 2; });
  wrong.buffers({"total.address", "multiple of 8"}, [](auto& x) { x.total.address += 4; });
  wrong.buffers({"in [", "indices [", "overlap"},
                [](auto& x) { x.indices.address = x.in.address; });
  wrong.buffers({"indices [", "ranks [", "overlap"},
                [](auto& x) { x.ranks.address = x.indices.address + 400; });
  DeviceInfo info = device().state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  expect_error(Status::unsupported, {"in_width", "int64"}, [&](VkCommandBuffer cmd) {
    return record_expand(cmd, narrow, {.in_width = IndexWidth::u64, .count = 1, .capacity = 1},
                         good);
  });
  CHECK(warm_up(Device(), ExpandDesc{}) == Status::invalid_argument);
}

TEST_CASE("expand: smoke" * doctest::test_suite("smoke")) {
  check<u32>(ExpandInput::counts, counts_of<u32>(Spread::half_empty, 3000), {.device = &device()});
}

TEST_CASE("expand: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::expand, sizeof(abi::ExpandPush)));
}

}  // namespace vkprims::test

// Tests of segmented_reduce.
#include "oracles/segmented_reduce.hpp"

#include <cmath>

#include "reduce/segmented.hpp"
#include "reduce/segmented_reduce/segmented_reduce.abi.h"
#include "reduce/segmented_starts/segmented_starts.abi.h"
#include "spirv/segmented_reduce_fix_up.hpp"
#include "spirv/segmented_reduce_tiles.hpp"
#include "spirv/segmented_starts.hpp"
#include "support/segment_lengths.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

std::uint64_t tile_of(const Device& d, Type type) {
  return segmented_plan(*d.state(), size_of(type) / 4, 0, 0).tile_items;
}

struct Options {
  const Device* device;
  SegmentedReduceDesc desc = {};  // types, value_count and a count of 0 follow from the data
  std::uint64_t misalign_values = 0, misalign_offsets = 0, misalign_out = 0;  // elements
};

template <class T, class Offset>
std::vector<T> run_on_device(const std::vector<T>& values, const std::vector<Offset>& offsets,
                             Options o) {
  o.desc.type = type_of<T>();
  o.desc.offset_width = sizeof(Offset) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  o.desc.value_count = values.size();
  o.desc.count = o.desc.count.or_all(offsets.size() - 1);
  const Guarded in(values, o.misalign_values * sizeof(T));
  const Guarded bounds(offsets, o.misalign_offsets * sizeof(Offset));
  const Guarded out((offsets.size() - 1) * sizeof(T), o.misalign_out * sizeof(T));
  const DirtyScratch scratch(segmented_reduce_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_segmented_reduce(cmd, *o.device, o.desc,
                                           {in.view(), bounds.view(), out.view(), scratch.get()}));
  });
  CHECK(in.read<T>().size() == values.size());
  CHECK(bounds.read<Offset>() == offsets);
  return out.read<T>();
}

// Fails unless `result` begins with the folds of the segments and is unchanged behind them.
template <class T, class Offset>
void check_result(const std::vector<T>& result, const std::vector<T>& values,
                  const std::vector<Offset>& offsets, Op op, std::optional<T> initial = {}) {
  const std::vector<T> expected = oracle::segmented_reduce<T, Offset>(values, offsets, op, initial);
  REQUIRE(result.size() >= expected.size());
  for (std::size_t s = 0; s < expected.size(); ++s) {
    const auto segment = oracle::segment<T, Offset>(values, offsets, s);
    if (std::is_floating_point_v<T> && op == Op::add) {
      const oracle::Sum exact = oracle::sum<T>(segment, initial);
      const long double error = std::fabs(static_cast<long double>(result[s]) - exact.value);
      if (error <= oracle::segment_sum_error_bound<T>(exact, segment.size())) continue;
    } else if (std::is_floating_point_v<T> && op == Op::mul) {
      const auto bound = static_cast<double>(segment.size() + 1) *
                         std::numeric_limits<T>::epsilon() * std::fabs(double(expected[s]));
      if (std::fabs(double(result[s]) - double(expected[s])) <= bound) continue;
    } else if (same_bits(result[s], expected[s])) {
      continue;
    }
    CAPTURE(s);
    CAPTURE(offsets[s]);
    CAPTURE(offsets[s + 1]);
    CHECK(result[s] == expected[s]);
    return;
  }
}

template <class T, class Offset = std::uint32_t>
void check_spread(Spread spread, std::uint64_t n, Options o) {
  CAPTURE(static_cast<int>(spread));
  CAPTURE(n);
  const std::vector<T> values = values_for<T>(o.desc.op, n);
  const auto offsets = offsets_of<Offset>(lengths(spread, n, static_cast<std::uint32_t>(n)));
  if (offsets.size() == 1) return;
  check_result(run_on_device(values, offsets, o), values, offsets, o.desc.op);
}

}  // namespace

TEST_CASE("segmented_reduce: every type, and every operator, equals a fold of each segment") {
  // Compiling takes most of the time. Most operators are tested in one workgroup, which needs no
  // other kernels.
  const Device& d = device(kTinyTiles);
  for (const Type type : types()) {
    for (const Op op : ops(type)) {
      if (op != Op::add && type != Type::u32 && !(type == Type::f64 && op == Op::mul)) continue;
      CAPTURE(std::string(name_of(type)));
      CAPTURE(std::string(name_of(op)));
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        const Options o{.device = &d, .desc = {.op = op}};
        for (const Spread spread : {Spread::tens, Spread::one, Spread::half_empty}) {
          check_spread<T>(spread, 120, o);
          if (op != Op::add) continue;
          check_spread<T>(spread, 20'000, o);
          check_spread<T>(spread, 20'000, {.device = &device(kSearchingTiles), .desc = o.desc});
        }
      });
    }
  }
}

TEST_CASE("segmented_reduce: values spread over segments in every way, round subgroups and tiles") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles, kSearchingTiles})) {
    const Device& d = device(tuning);
    for (const Type type : {Type::u32, Type::f64}) {
      if (type == Type::f64 && (tuning.rows_per_tile != 1 || !d.features().float64)) continue;
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (const Spread spread : kSpreads) {
          for (const std::uint64_t n : edge_counts(tile_of(d, type))) {
            check_spread<T>(spread, n, {.device = &d});
          }
          check_spread<T>(spread, 200'000, {.device = &d});
        }
      });
    }
  }
}

TEST_CASE(
    "segmented_reduce: each number of segments and values together, round the edge of a tile") {
  const std::uint64_t tile = tile_of(device(kTinyTiles), Type::u32);
  for (const std::uint64_t items :
       {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1}) {
    for (const std::uint64_t segments :
         {std::uint64_t{1}, std::uint64_t{2}, tile / 2, tile - 1, tile}) {
      if (segments > items) continue;
      CAPTURE(items);
      CAPTURE(segments);
      std::vector<std::uint64_t> sizes(segments, 0);
      sizes[segments / 2] = items - segments;
      const auto values = random_values<std::uint32_t>(items - segments, 1);
      const auto offsets = offsets_of<std::uint32_t>(sizes);
      for (const Tuning& tuning : {kTinyTiles, kSearchingTiles}) {
        const Options o{.device = &device(tuning)};
        check_result(run_on_device(values, offsets, o), values, offsets, Op::add);
      }
    }
  }
}

TEST_CASE("segmented_reduce: thousands of empty segments, and nothing but them") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles, kSearchingTiles})) {
    const Device& d = device(tuning);
    const std::vector<std::uint32_t> none, values = random_values<std::uint32_t>(100, 4);
    for (const std::uint64_t segments : {1, 2, 127, 1000, 100'000}) {
      const std::vector<std::uint32_t> zeros(segments + 1);
      check_result(run_on_device(none, zeros, {.device = &d}), none, zeros, Op::add);
      check_result(run_on_device(values, zeros, {.device = &d}), values, zeros, Op::add);
      const std::vector<std::uint32_t> behind(segments + 1, 100);
      check_result(run_on_device(values, behind, {.device = &d}), values, behind, Op::add);
      std::vector<std::uint32_t> between(segments + 1, 50);
      between.front() = 0;
      between.back() = 100;
      check_result(run_on_device(values, between, {.device = &d}), values, between, Op::add);
    }
  }
}

TEST_CASE(
    "segmented_reduce: the first offset need not be 0, nor the last one the number of values") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles, kSearchingTiles})) {
    const Device& d = device(tuning);
    const auto values = random_values<std::uint32_t>(60'000, 5);
    for (const std::uint64_t first : {1, 2, 3, 4, 517, 9999}) {
      CAPTURE(first);
      const auto offsets =
          offsets_of<std::uint32_t>(lengths(Spread::tens, values.size() - first - 7, 6), first);
      check_result(run_on_device(values, offsets, {.device = &d}), values, offsets, Op::add);
    }
    const std::vector<std::uint32_t> all_behind(300, 60'000);
    check_result(run_on_device(values, all_behind, {.device = &d}), values, all_behind, Op::add);
  }
}

TEST_CASE(
    "segmented_reduce: views that are aligned to one element only, offsets of 4 and 8 bytes") {
  const Device& d = device(kTinyTiles);
  const auto check = [&](auto zero, auto offset) {
    using T = decltype(zero);
    for (const std::uint64_t misalign : {1, 2, 3}) {
      for (const Spread spread : {Spread::tens, Spread::empty_runs}) {
        check_spread<T, decltype(offset)>(spread, 5000 + misalign,
                                          {.device = &d,
                                           .misalign_values = misalign,
                                           .misalign_offsets = misalign + 1,
                                           .misalign_out = misalign});
      }
    }
  };
  check(std::uint32_t{}, std::uint32_t{});
  if (d.features().float64) check(double{}, std::uint64_t{});
  // The high words of offsets are not lost.
  const auto values = random_values<std::uint32_t>(1000, 1);
  std::vector<std::uint64_t> far(11, std::uint64_t{1} << 32);
  far[0] = 0;
  run_on_device(values, far, {.device = &d});
}

TEST_CASE("segmented_reduce: more than 65,535 tiles") {
  if (subset()) return;
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 65'600 * tile_of(d, Type::u32);
  std::vector<std::uint32_t> values(n);
  std::uint32_t x = 1;
  for (std::uint32_t& v : values) v = x = x * 1664525 + 1013904223;
  // Some segments cross workgroups of the fix-up; between them are others that end in each tile.
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t left = n; left;) {
    const std::uint64_t of[] = {200, 3'000'000, 70, 100'000, 0, 1};
    sizes.push_back(std::min(left, of[sizes.size() % 6]));
    left -= sizes.back();
  }
  const auto offsets = offsets_of<std::uint32_t>(sizes);
  check_result(run_on_device(values, offsets, {.device = &d}), values, offsets, Op::add);
}

TEST_CASE(
    "segmented_reduce: an initial value from the host or the device comes before each segment") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t n : {100, 5000}) {
    const auto values = random_values<std::uint32_t>(n, 3);
    const auto offsets = offsets_of<std::uint32_t>(lengths(Spread::half_empty, n, 3));
    const auto on_device = device_count<std::uint32_t>(77);
    for (const Value& initial : {Value(77u), Value::at(on_device.address())}) {
      const Options o{.device = &d, .desc = {.initial = initial}};
      check_result<std::uint32_t>(run_on_device(values, offsets, o), values, offsets, Op::add, 77);
    }
    const std::vector<float> floats = random_values<float>(n, 3);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Options o{.device = &d, .desc = {.op = Op::max, .initial = nan}};
    check_result<float>(run_on_device(floats, offsets, o), floats, offsets, Op::max, nan);
  }
}

TEST_CASE("segmented_reduce: min and max of floats order -0 below +0 and skip NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float of[] = {nan, -0.0f, 0.0f, nan, nan, -nan, 3.0f, nan, 2.0f};
  for (const Op op : {Op::min, Op::max}) {
    const int n = op == Op::min ? 100 : 3000;
    std::vector<float> values;
    for (int i = 0; i < n; ++i) values.push_back(of[i % 9]);
    const auto offsets = offsets_of<std::uint32_t>(lengths(Spread::half_empty, values.size(), 8));
    const Options o{.device = &device(kTinyTiles), .desc = {.op = op}};
    check_result(run_on_device(values, offsets, o), values, offsets, op);
  }
}

TEST_CASE("segmented_reduce: the number of segments may be read on the GPU and is clamped to max") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles, kSearchingTiles}) {
    const Device& d = device(tuning);
    const bool searches = tuning.small_count != 0;  // otherwise more than 4,096 tiny tiles
    const auto values = random_values<std::uint32_t>(searches ? 150'000 : 2'200'000, 9);
    const auto offsets = offsets_of<std::uint32_t>(lengths(Spread::tens, values.size(), 9));
    const std::uint64_t max = offsets.size() - 1;
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5000}, max, 2 * max}) {
      for (const bool wide : {false, true}) {
        CAPTURE(n);
        CAPTURE(wide);
        const auto count = device_count(wide ? n | (n > max ? std::uint64_t{1} << 40 : 0) : n);
        const Count given(max, count.address(), wide ? CountWidth::u64 : CountWidth::u32);
        const auto out = run_on_device(values, offsets, {.device = &d, .desc = {.count = given}});
        const std::uint64_t used = std::min(n, max);
        check_result(
            out, values,
            std::vector(offsets.begin(), offsets.begin() + static_cast<std::ptrdiff_t>(used + 1)),
            Op::add);
        CHECK(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(used), out.end(),
                          [](std::uint32_t x) { return x == 0xcdcdcdcd; }));
      }
    }
  }
}

TEST_CASE("segmented_reduce: offsets that make no sense touch nothing outside of the views") {
  for (const Tuning& tuning : {kTinyTiles, kSearchingTiles}) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : {100, 30'000}) {
      const auto values = random_values<std::uint32_t>(n, 1);
      for (const std::uint64_t segments : {1, 40, 3000, 50'000}) {
        for (const auto& offsets : hostile_offsets<std::uint32_t>(segments, n)) {
          run_on_device(values, offsets, {.device = &d});
        }
        for (const auto& offsets : hostile_offsets<std::uint64_t>(segments, n)) {
          run_on_device(values, offsets, {.device = &d, .misalign_values = 1});
        }
      }
    }
  }
}

TEST_CASE("segmented_reduce: float sums are bit-identical from run to run") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> values = random_values<float>(200'000, 11);
  const auto offsets = offsets_of<std::uint32_t>(lengths(Spread::power_law, values.size(), 2));
  const std::vector<float> first = run_on_device(values, offsets, {.device = &d});
  for (int i = 0; i < 10; ++i) CHECK(run_on_device(values, offsets, {.device = &d}) == first);
}

TEST_CASE("segmented_reduce: a step of a Recorder") {
  const std::vector<float> values = random_values<float>(1000, 12);
  const auto offsets = offsets_of<std::uint64_t>(lengths(Spread::tens, values.size(), 2));
  const auto in = context().upload(values);
  const auto bounds = context().upload(offsets);
  const auto out = context().allocate<float>(offsets.size() - 1);
  context().run([&](Recorder& r) { segmented_reduce(r, {.op = Op::add}, in, bounds, out); });
  check_result(context().download(out), values, offsets, Op::add);
}

TEST_CASE(
    "segmented_reduce: recorded twice in one command buffer, and replayed 100 times, with one "
    "dirty scratch") {
  const Device& d = device(goes_first_way() ? kTinyTiles : kSearchingTiles);
  const auto values = random_values<std::uint32_t>(100'000, 4);
  const auto offsets = offsets_of<std::uint32_t>(lengths(Spread::power_law, values.size(), 2));
  const std::uint64_t n = offsets.size() - 1;
  const auto in = context().upload(values);
  const auto bounds = context().upload(offsets);
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const auto expected =
      oracle::segmented_reduce<std::uint32_t, std::uint32_t>(values, offsets, Op::add);
  std::vector<std::uint32_t> twice = expected;
  twice.insert(twice.end(), expected.begin(), expected.end());
  const SegmentedReduceDesc desc{.count = n, .value_count = values.size()};
  const DirtyScratch scratch(segmented_reduce_scratch(d, desc));
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(2 * n, 77)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_segmented_reduce(
            cmd, d, desc, {in.view(), bounds.view(), out.slice(i * n, n).view(), scratch.get()});
      },
      [&] { CHECK(difference(context().download(out), twice) == ""); });
}

TEST_CASE("segmented_reduce: nothing is recorded without segments") {
  spy().clear();
  context().run([&](Recorder& r) {
    throw_if_error(record_segmented_reduce(r.command_buffer(), device(), {.value_count = 100}, {}));
  });
  CHECK(spy().recorded.empty());
}

TEST_CASE(
    "segmented_reduce: the size query is monotone in the counts and 0 for an invalid descriptor") {
  const Device& d = device(kTinyTiles);
  check_monotone([&](std::uint64_t n) {
    const VkDeviceSize bytes = segmented_reduce_scratch(d, {.count = n, .value_count = n}).bytes;
    CHECK(bytes >= segmented_reduce_scratch(d, {.count = n, .value_count = n / 2}).bytes);
    CHECK(bytes <= 64 + n);
    return bytes;
  });
  CHECK(segmented_reduce_scratch(d, {.count = 0, .value_count = kMaxCount}).bytes == 0);
  CHECK(segmented_reduce_scratch(d, {.count = kMaxCount + 1}).bytes == 0);
  CHECK(segmented_reduce_scratch(d, {.count = 9, .value_count = kMaxCount + 1}).bytes == 0);
  CHECK(segmented_reduce_scratch(Device(), {.count = 1 << 20}).bytes == 0);
}

TEST_CASE("segmented_reduce: warm_up compiles everything that is used") {
  DeviceInfo info = device(kSearchingTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  observe(d);
  const auto count = device_count<std::uint32_t>(100'000);
  const auto values = random_values<std::uint32_t>(3'000'000, 9);
  const auto offsets = offsets_of<std::uint32_t>(lengths(Spread::tens, values.size(), 9));
  const SegmentedReduceDesc desc{.count = Count(1, count.address())};
  const auto small_values = random_values<std::uint32_t>(100, 9);
  const std::vector<std::uint32_t> small_offsets{0, 50, 100};
  expect_error(Status::not_warmed, {"warm_up"}, [&](VkCommandBuffer cmd) {
    const auto memory = context().allocate<std::uint32_t>(1000);
    return record_segmented_reduce(
        cmd, d, {.count = 2, .value_count = 100},
        {memory.slice(0, 100).view(), memory.slice(200, 3).view(), memory.slice(300, 2).view()});
  });
  throw_if_error(warm_up(d, desc));
  run_on_device(small_values, small_offsets, {.device = &d});
  run_on_device(values, offsets, {.device = &d, .misalign_values = 1});
  const auto few_values = random_values<std::uint32_t>(30'000, 9);
  run_on_device(few_values, offsets_of<std::uint32_t>({7, 29'000}), {.device = &d});
  const auto more_values = random_values<std::uint32_t>(500'000, 9);
  run_on_device(more_values, offsets_of<std::uint32_t>({7, 290'000}), {.device = &d});
  run_on_device(values, offsets,
                {.device = &d, .desc = {.count = Count(offsets.size() - 1, count.address())}});
}

TEST_CASE("segmented_reduce: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const SegmentedReduceDesc desc{.count = 1000, .value_count = 100'000};
  const ScratchNeed need = segmented_reduce_scratch(d, desc);
  const SegmentedReduceBuffers good{all.slice(0, 100'000).view(), all.slice(200'000, 1001).view(),
                                    all.slice(300'000, 1000).view(),
                                    scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_segmented_reduce, desc, good);
  wrong.anywhere();
  wrong.scratch("segmented_reduce_scratch()");
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, SegmentedReduceDesc{.op = Op(9)}) == Status::invalid_argument);

  wrong.desc({"segmented_reduce: op is 9"}, [](auto& x) { x.op = Op(9); });
  wrong.desc({"op is bit_and", "f32"}, [](auto& x) { x.type = Type::f32, x.op = Op::bit_and; });
  wrong.desc({"offset_width is 2"}, [](auto& x) { x.offset_width = IndexWidth(2); });
  wrong.desc({"value_count is 274877906945"}, [](auto& x) { x.value_count = kMaxCount + 1; });
  wrong.desc({"initial is 4294967296", "u32"}, [](auto& x) { x.initial = std::uint64_t{1} << 32; });
  wrong.desc({"initial.address", "multiple of 4"}, [](auto& x) { x.initial = Value::at(0x1002); });
  wrong.buffers({"values.address is 0"}, [](auto& x) { x.values.address = 0; });
  wrong.buffers({"values.bytes is 399999", "400000"}, [](auto& x) { x.values.bytes -= 1; });
  wrong.buffers({"values.address", "multiple of 4"}, [](auto& x) { x.values.address += 2; });
  wrong.buffers({"offsets.bytes is 4003", "4004"}, [](auto& x) { x.offsets.bytes -= 1; });
  wrong.buffers({"offsets.address", "multiple of 4"}, [](auto& x) { x.offsets.address += 2; });
  wrong.buffers({"out.bytes is 3996", "4000"}, [](auto& x) { x.out.bytes -= 4; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"values [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.values.address; });
  wrong.buffers({"offsets [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.offsets.address + 4000; });
  wrong.buffers({"out [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.out.address / 16 * 16; });
  wrong.desc({"out [", "initial [", "overlap"},
             [&](auto& x) { x.initial = Value::at(good.out.address + 8); });
  wrong.desc({"out [", "count [", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
}

TEST_CASE("segmented_reduce: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& d, Type type) {
    return record_segmented_reduce(cmd, d, {.type = type, .count = 1}, {});
  });
}

TEST_CASE("segmented_reduce: smoke" * doctest::test_suite("smoke")) {
  check_spread<std::uint32_t>(Spread::tens, 1500, {.device = &device(kTinyTiles)});
}

TEST_CASE("segmented_reduce: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::segmented_starts, sizeof(abi::SegmentedStartsPush)));
  CHECK(push_matches(vkprims::spirv::segmented_reduce_tiles_u32, sizeof(abi::SegmentedReducePush),
                     8));
  CHECK(push_matches(vkprims::spirv::segmented_reduce_fix_up_u32, sizeof(abi::SegmentedReducePush),
                     8));
}

}  // namespace vkprims::test

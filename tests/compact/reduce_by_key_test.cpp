// Tests of reduce_by_key.
#include "oracles/reduce_by_key.hpp"

#include <cmath>
#include <limits>

#include "compact/reduce_by_key/reduce_by_key.abi.h"
#include "compact/reduce_runs.hpp"
#include "spirv/reduce_by_key_fold.hpp"
#include "spirv/reduce_by_key_look_back.hpp"
#include "spirv/reduce_by_key_reduce.hpp"
#include "support/alone_edges.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

std::uint64_t tile_of(const Device& d, Type type) {
  return run_tile(*d.state(), Type::u32, size_of(type), false, kMaxCount).items;
}

// Returns keys in runs of random lengths with mean `mean`.
template <class Key>
std::vector<Key> run_keys(std::uint64_t n, std::uint32_t mean, std::uint32_t seed) {
  std::vector<Key> keys(n);
  Key key{};
  std::size_t i = 0;
  for (const std::uint32_t random : random_values<std::uint32_t>(n, seed)) {
    if (random % mean == 0) key = static_cast<Key>(key + 1);
    keys[i++] = key;
  }
  return keys;
}

struct Options {
  const Device* device;
  ReduceByKeyDesc desc = {};
  std::uint64_t keys_offset = 0, in_offset = 0, out_offset = 0;
  bool keys = true;  // whether the keys of runs are wanted
};

template <class T>
bool close(Op op, T result, T expected, T magnitude, std::uint64_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    const T eps = std::numeric_limits<T>::epsilon();
    if (op == Op::add) return std::abs(result - expected) <= eps * T(n + 64) * magnitude;
    if (op == Op::mul) return std::abs(result - expected) <= eps * T(n + 64) * std::abs(expected);
  }
  return same_bits(result, expected);
}

template <class Key, class T>
std::vector<T> check_reduce_by_key(const std::vector<Key>& keys, const std::vector<T>& values,
                                   Options o) {
  const std::uint64_t n = values.size();
  CAPTURE(n);
  o.desc.key = type_of<Key>();
  o.desc.type = type_of<T>();
  o.desc.count = n;
  const Guarded keys_in(keys, o.keys_offset * sizeof(Key)), in(values, o.in_offset * sizeof(T));
  const Guarded out_keys(o.keys ? n * sizeof(Key) : 0, o.out_offset * sizeof(Key));
  const Guarded out(n * sizeof(T), o.out_offset * sizeof(T)), run_count(8, 8);
  const DirtyScratch scratch(reduce_by_key_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_reduce_by_key(cmd, *o.device, o.desc,
                                        {.keys = keys_in.view(),
                                         .in = in.view(),
                                         .out_keys = o.keys ? out_keys.view() : BufferView{},
                                         .out = out.view(),
                                         .run_count = run_count.view(),
                                         .scratch = scratch.get()}));
  });
  const auto expected = oracle::reduce_by_key(keys, values, o.desc.op, o.desc.float_order);
  const std::size_t runs = expected.keys.size();
  REQUIRE(run_count.read<std::uint64_t>()[0] == runs);
  if (o.keys) {
    std::vector<Key> result = out_keys.read<Key>();
    result.resize(runs);
    CHECK(same_bits(result, expected.keys));
  }
  std::vector<T> result = out.read<T>();
  result.resize(runs);
  for (std::size_t i = 0; i < runs; ++i) {
    if (close(o.desc.op, result[i], expected.values[i], expected.magnitudes[i], n)) continue;
    CAPTURE(i);
    CHECK(result[i] == expected.values[i]);
    break;
  }
  return result;
}

constexpr Schedule kSchedules[] = {Schedule::look_back, Schedule::multi_pass, Schedule::automatic};

}  // namespace

TEST_CASE("reduce_by_key: runs of all lengths in all schedules, around tile edges") {
  std::uint32_t mean = 1;
  for (const Schedule schedule : kSchedules) {
    for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
      if (tuning.scan_rows == 0 && schedule != Schedule::automatic) continue;
      const Device& d = device(tuning);
      for (const std::uint64_t n : edge_counts(tile_of(d, Type::u32))) {
        CAPTURE(mean);
        CAPTURE(static_cast<int>(schedule));
        check_reduce_by_key(run_keys<std::uint32_t>(n, mean, static_cast<std::uint32_t>(n)),
                            random_values<std::uint32_t>(n, 2),
                            {.device = &d, .desc = {.schedule = schedule}});
        mean = mean == 1 ? 16 : mean == 16 ? 300 : mean == 300 ? 1'000'000'000 : 1;
      }
    }
  }
}

TEST_CASE("reduce_by_key: small tiles up to a number of elements") {
  const Device& d = device(kSmallTiles);
  const std::uint64_t most = kSmallTiles.small_count;
  for (const std::uint64_t n : {most - 1, most, most + 1, 3 * most}) {
    for (const std::uint32_t mean : {1, 16, 5000}) {
      check_reduce_by_key(run_keys<std::uint32_t>(n, mean, 1), random_values<std::uint32_t>(n, 2),
                          {.device = &d, .desc = {.schedule = Schedule::look_back}});
    }
  }
}

TEST_CASE("reduce_by_key: few elements, in workgroups of every shape") {
  const Device& d = device(kAloneTuning);
  for (const std::uint64_t n : alone_edges(d, 4)) {
    for (const std::uint32_t mean : {1, 16, 5000}) {
      check_reduce_by_key(run_keys<std::uint32_t>(n, mean, 3), random_values<std::uint32_t>(n, 4),
                          {.device = &d, .in_offset = n % 4});
    }
  }
}

TEST_CASE("reduce_by_key: every type and operator") {
  const Device& d = device(kTinyTiles);
  for (const Type type : types()) {
    for (const Op op : ops(type)) {
      CAPTURE(std::string(name_of(type)));
      CAPTURE(std::string(name_of(op)));
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        const std::uint64_t n = 5 * tile_of(d, type) + 3;
        check_reduce_by_key(run_keys<std::uint32_t>(n, 40, 3), values_for<T>(op, n),
                            {.device = &d, .desc = {.op = op, .schedule = Schedule::look_back}});
      });
    }
  }
}

TEST_CASE("reduce_by_key: keys of 8 bytes, and floats by value or by their bits") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 4 * tile_of(d, Type::u32) + 5;
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const Options o{.device = &d, .desc = {.schedule = schedule}};
    const auto values = random_values<std::uint32_t>(n, 5);
    std::vector<std::uint64_t> wide = run_keys<std::uint64_t>(n, 3, 4);
    for (std::uint64_t& key : wide) key = key % 2 ? key << 32 : key;  // they differ in either word
    check_reduce_by_key(wide, values, o);
  }
  const auto floats = [&](auto zero, FloatOrder order) {
    using T = decltype(zero);
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const T special[] = {T(0), -T(0), T(1), nan, -nan, -T(0)};
    const ReduceByKeyDesc desc{.schedule = Schedule::look_back, .float_order = order};
    std::vector<T> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = special[i / 3 % 6];
    const auto values = random_values<std::uint32_t>(n, 6);
    check_reduce_by_key(keys, values, {.device = &d, .desc = desc, .keys_offset = 1});
  };
  floats(float{}, FloatOrder::by_value);
  floats(float{}, FloatOrder::by_bits);
  if (!subset()) floats(double{}, FloatOrder::by_value);
}

TEST_CASE("reduce_by_key: views that are aligned to one element only, keys not wanted") {
  const Device& d = device(kTinyTiles);
  for (std::uint64_t offset = 0; offset < 4; ++offset) {
    for (const std::uint64_t n : edge_counts(tile_of(d, Type::u32))) {
      check_reduce_by_key(run_keys<std::uint32_t>(n, 4, 7), random_values<std::uint32_t>(n, 8),
                          {.device = &d,
                           .desc = {.schedule = Schedule::look_back},
                           .keys_offset = offset,
                           .in_offset = 3 - offset,
                           .out_offset = 2 * offset + 1,
                           .keys = offset % 2 == 0});
    }
  }
}

TEST_CASE("reduce_by_key: silent, late and shuffled tiles change nothing") {
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT, VKP_LOOKBACK_DELAYED | VKP_LOOKBACK_SHUFFLED, VKP_LOOKBACK_FORCED}) {
    Tuning tuning = kTinyTiles;
    tuning.spin_limit = 8;
    const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = 2});
    const std::uint64_t n = 90 * tile_of(d, Type::u32) + 7;
    for (const std::uint32_t mean : {5u, 5000u}) {
      check_reduce_by_key(run_keys<std::uint32_t>(n, mean, 9), random_values<std::uint32_t>(n, 10),
                          {.device = &d, .desc = {.schedule = Schedule::look_back}});
    }
  }
}

TEST_CASE("reduce_by_key: numbers of runs of 64 bits, as for 2^32 elements and more") {
  for (const std::uint32_t faults : {0, VKP_LOOKBACK_SILENT, VKP_LOOKBACK_FORCED}) {
    Tuning tuning = kTinyTiles;
    tuning.spin_limit = 8;
    const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = 2});
    DeviceState& state = *d.state();
    const std::uint64_t n = 90 * tile_of(d, Type::u32) + 7;
    const auto keys = run_keys<std::uint32_t>(n, 5, 13);
    const auto values = random_values<std::uint32_t>(n, 14);
    const RunSums sums{.primitive = "reduce_by_key",
                       .key = Type::u32,
                       .values = {.count = n, .schedule = Schedule::look_back},
                       .ones = false,
                       .wide = true};
    const Guarded keys_in(keys), in(values), out_keys(4 * n, 0), out(4 * n, 0), run_count(8, 8);
    const DirtyScratch scratch(run_sums_scratch(state, sums));
    run([&](VkCommandBuffer cmd) {
      Commands commands("reduce_by_key", state);
      throw_if_error(add_run_sums(commands, sums,
                                  {.keys = keys_in.view(),
                                   .in = in.view(),
                                   .out_keys = out_keys.view(),
                                   .out = out.view(),
                                   .run_count = run_count.view(),
                                   .keys_name = "keys",
                                   .out_keys_name = "out_keys",
                                   .out_name = "out",
                                   .scratch = scratch.get()}));
      commands.record(cmd);
    });
    const auto expected = oracle::reduce_by_key(keys, values, Op::add);
    const std::size_t runs = expected.keys.size();
    REQUIRE(run_count.read<std::uint64_t>()[0] == runs);
    auto sums_found = out.read<std::uint32_t>();
    sums_found.resize(runs);
    auto keys_found = out_keys.read<std::uint32_t>();
    keys_found.resize(runs);
    CHECK(keys_found == expected.keys);
    CHECK(std::equal(sums_found.begin(), sums_found.end(), expected.values.begin(),
                     expected.values.end()));
  }
}

TEST_CASE("reduce_by_key: run_to_run float sums have the same bits every time") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 50 * tile_of(d, Type::f32) + 1;
  const auto keys = run_keys<std::uint32_t>(n, 700, 11);
  const auto values = random_values<float>(n, 12);
  const Options o{.device = &d, .desc = {.determinism = Determinism::run_to_run}};
  const std::vector<float> first = check_reduce_by_key(keys, values, o);
  for (int i = 0; i < 10; ++i) CHECK(check_reduce_by_key(keys, values, o) == first);
}

TEST_CASE("reduce_by_key: run_to_run never looks back, also just past what one workgroup holds") {
  const Device& d = device({.single_scan_bytes = 1 << 24});
  const auto scratch = [&](std::uint64_t n, Schedule schedule, Determinism determinism) {
    const ReduceByKeyDesc desc{
        .type = Type::f32, .count = n, .schedule = schedule, .determinism = determinism};
    return reduce_by_key_scratch(d, desc).bytes;
  };
  std::uint64_t n = 1;
  while (scratch(n, Schedule::automatic, Determinism::fastest) == 0) ++n;
  for (const std::uint64_t more : {0, 1, 1000}) {
    CHECK(scratch(n + more, Schedule::automatic, Determinism::run_to_run) ==
          scratch(n + more, Schedule::multi_pass, Determinism::run_to_run));
  }
}

TEST_CASE("reduce_by_key: a count from the GPU, recorded twice and replayed") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t room = 4200 * tile_of(d, Type::u32), n = 2001;  // the grid is indirect
  const auto keys = run_keys<std::uint32_t>(room, 6, 13);
  const auto values = random_values<std::uint32_t>(room, 14);
  const auto keys_in = context().upload(keys), in = context().upload(values);
  const auto out_keys = context().allocate<std::uint32_t>(room + n);
  const auto out = context().allocate<std::uint32_t>(room + n);
  const auto run_count = context().allocate<std::uint64_t>(2);
  const auto count = device_count(static_cast<std::uint32_t>(n));
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const ReduceByKeyDesc desc{.count = {room, count.address()}, .schedule = schedule};
    const DirtyScratch scratch(reduce_by_key_scratch(d, desc));
    for (const std::uint32_t used : {0u, static_cast<std::uint32_t>(n)}) {
      context().write(count, std::vector<std::uint32_t>{used});
      const auto cut = static_cast<std::ptrdiff_t>(used);
      const auto expected =
          oracle::reduce_by_key(std::vector(keys.begin(), keys.begin() + cut),
                                std::vector(values.begin(), values.begin() + cut), Op::add);
      replay(
          d, [&] { context().write(out, std::vector<std::uint32_t>(2 * n, 0)); },
          [&](VkCommandBuffer cmd, std::uint64_t i) {
            return record_reduce_by_key(cmd, d, desc,
                                        {.keys = keys_in.view(),
                                         .in = in.view(),
                                         .out_keys = out_keys.slice(n * i, room).view(),
                                         .out = out.slice(n * i, room).view(),
                                         .run_count = run_count.slice(i, 1).view(),
                                         .scratch = scratch.get()});
          },
          [&] {
            REQUIRE(context().download(run_count) ==
                    std::vector<std::uint64_t>(2, expected.keys.size()));
            for (const std::uint64_t at : {std::uint64_t{0}, n}) {
              CHECK(context().download(out, at, expected.values.size()) == expected.values);
              CHECK(context().download(out_keys, at, expected.keys.size()) == expected.keys);
            }
          });
    }
  }
}

TEST_CASE("reduce_by_key: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  for (const Schedule schedule : kSchedules) {
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    const ReduceByKeyDesc desc{.schedule = schedule};
    throw_if_error(warm_up(cold, desc));
    for (const std::uint64_t n : {std::uint64_t{10}, 3 * tile_of(cold, Type::u32)}) {
      check_reduce_by_key(run_keys<std::uint32_t>(n, 3, 1), random_values<std::uint32_t>(n, 2),
                          {.device = &cold, .desc = desc});
    }
  }
}

TEST_CASE("reduce_by_key: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& narrow, Type type) {
    return record_reduce_by_key(cmd, narrow, {.type = type}, {});
  });
}

TEST_CASE(
    "reduce_by_key: the size query is monotone in the count and 0 for an invalid descriptor") {
  check_scratch_query(&reduce_by_key_scratch);
}

TEST_CASE("reduce_by_key: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const ReduceByKeyDesc desc{.count = 100'000};
  const ScratchNeed need = reduce_by_key_scratch(d, desc);
  const ReduceByKeyBuffers good{.keys = all.slice(0, 100'000).view(),
                                .in = all.slice(100'000, 100'000).view(),
                                .out_keys = all.slice(200'000, 100'000).view(),
                                .out = all.slice(300'000, 100'000).view(),
                                .run_count = all.slice(400'000, 2).view(),
                                .scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_reduce_by_key, desc, good);
  wrong.anywhere();
  wrong.scratch("reduce_by_key_scratch()");
  wrong.desc({"float_order is 2"}, [](auto& x) { x.float_order = FloatOrder(2); });
  wrong.desc({"key is 9"}, [](auto& x) { x.key = Type(9); });
  wrong.desc({"op is 99"}, [](auto& x) { x.op = Op(99); });
  wrong.desc({"look_back", "run_to_run", "f32 add"}, [](auto& x) {
    x.type = Type::f32;
    x.schedule = Schedule::look_back;
    x.determinism = Determinism::run_to_run;
  });
  wrong.buffers({"keys.address is 0"}, [](auto& x) { x.keys.address = 0; });
  wrong.buffers({"in.bytes is 399999"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"keys [", "out_keys [", "overlap"},
                [](auto& x) { x.out_keys.address = x.keys.address; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  wrong.buffers({"run_count.address", "multiple of 8"}, [](auto& x) { x.run_count.address += 4; });
}

TEST_CASE("reduce_by_key: smoke" * doctest::test_suite("smoke")) {
  // There are few elements because lavapipe drops code of the instrumented shader with more.
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    check_reduce_by_key(run_keys<std::uint32_t>(60, 3, 1), random_values<std::uint32_t>(60, 2),
                        {.device = &device(kTinyTiles), .desc = {.schedule = schedule}});
  }
}

TEST_CASE("reduce_by_key: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::reduce_by_key_look_back_u32_word32,
                     sizeof(abi::ReduceByKeyPush)));
  CHECK(push_matches(vkprims::spirv::reduce_by_key_fold_u32, sizeof(abi::ReduceByKeyPush)));
  CHECK(push_matches(vkprims::spirv::reduce_by_key_reduce_u32, sizeof(abi::ReduceByKeyPush)));
}

}  // namespace vkprims::test

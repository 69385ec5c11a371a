// Tests of run_length_encode.
#include "oracles/run_length_encode.hpp"

#include "compact/reduce_runs.hpp"
#include "support/alone_edges.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

std::uint64_t tile_of(const Device& d) {
  return run_tile(*d.state(), Type::u32, 4, true, kMaxCount).items;
}

template <class T>
std::vector<T> runs(std::uint64_t n, std::uint32_t mean, std::uint32_t seed) {
  std::vector<T> values(n);
  T value{};
  std::size_t i = 0;
  for (const std::uint32_t random : random_values<std::uint32_t>(n, seed)) {
    if (random % mean == 0) value = static_cast<T>(random);
    values[i++] = value;
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T nan = std::numeric_limits<T>::quiet_NaN();
      const T special[] = {T(0), -T(0), nan, -nan};
      if (i / 50 % 2) values[i - 1] = special[i / 100 % 2 * 2 + random % 2];
    }
  }
  return values;
}

template <class Length, class T>
void check_encode(const Device& d, const std::vector<T>& values, RunLengthEncodeDesc desc,
                  std::uint64_t offset = 0, bool keys = true) {
  const std::uint64_t n = values.size();
  CAPTURE(n);
  desc.type = type_of<T>();
  desc.length_width = sizeof(Length) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  desc.count = n;
  const Guarded in(values, offset * sizeof(T)), out(keys ? n * sizeof(T) : 0, offset * sizeof(T));
  const Guarded lengths(n * sizeof(Length), 3 * offset * sizeof(Length)), run_count(8, 8);
  const DirtyScratch scratch(run_length_encode_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_run_length_encode(cmd, d, desc,
                                            {.in = in.view(),
                                             .out = keys ? out.view() : BufferView{},
                                             .lengths = lengths.view(),
                                             .run_count = run_count.view(),
                                             .scratch = scratch.get()}));
  });
  const auto expected = oracle::run_length_encode(values, desc.float_order);
  const std::size_t count = expected.keys.size();
  REQUIRE(run_count.read<std::uint64_t>()[0] == count);
  std::vector<Length> result = lengths.read<Length>();
  result.resize(count);
  CHECK(difference(std::vector<std::uint64_t>(result.begin(), result.end()), expected.values) ==
        "");
  if (!keys) return;
  std::vector<T> elements = out.read<T>();
  elements.resize(count);
  CHECK(same_bits(elements, expected.keys));
}

}  // namespace

TEST_CASE("run_length_encode: runs of all lengths in all schedules, around tile edges") {
  std::uint32_t mean = 1;
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass, Schedule::automatic}) {
    const Device& d = schedule == Schedule::automatic ? device() : device(kTinyTiles);
    for (const std::uint64_t n : edge_counts(tile_of(d))) {
      check_encode<std::uint32_t>(d, runs<std::uint32_t>(n, mean, static_cast<std::uint32_t>(n)),
                                  {.schedule = schedule}, n % 4, n % 3 != 0);
      mean = mean == 1 ? 16 : mean == 16 ? 300 : mean == 300 ? 1'000'000'000 : 1;
    }
  }
}

TEST_CASE("run_length_encode: small tiles up to a number of elements") {
  const std::uint64_t most = kSmallTiles.small_count;
  for (const std::uint64_t n : {most - 1, most, most + 1, 3 * most}) {
    for (const std::uint32_t mean : {1, 16, 5000}) {
      check_encode<std::uint32_t>(device(kSmallTiles), runs<std::uint32_t>(n, mean, 3),
                                  {.schedule = Schedule::look_back});
    }
  }
}

TEST_CASE("run_length_encode: few elements, in workgroups of every shape") {
  const Device& d = device(kAloneTuning);
  for (const std::uint64_t n : alone_edges(d, 4)) {
    for (const std::uint32_t mean : {1, 16, 5000}) {
      check_encode<std::uint32_t>(d, runs<std::uint32_t>(n, mean, 3), {}, n % 4);
    }
  }
}

TEST_CASE("run_length_encode: elements of 8 bytes, floats in both orders, lengths of 64 bits") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 4 * tile_of(d) + 5;
  const RunLengthEncodeDesc desc{.schedule = Schedule::look_back};
  check_encode<std::uint32_t>(d, runs<std::uint64_t>(n, 3, 1), desc);
  check_encode<std::uint32_t>(d, runs<double>(n, 3, 2), desc, 1);
  RunLengthEncodeDesc by_bits = desc;
  by_bits.float_order = FloatOrder::by_bits;
  check_encode<std::uint32_t>(d, runs<double>(n, 3, 2), by_bits, 1);
  if (d.state()->info.enabled.int64) {
    check_encode<std::uint64_t>(d, runs<std::uint32_t>(n, 100, 3), desc, 1);
  }
}

TEST_CASE("run_length_encode: silent, late and shuffled tiles change nothing") {
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT, VKP_LOOKBACK_DELAYED | VKP_LOOKBACK_SHUFFLED, VKP_LOOKBACK_FORCED}) {
    Tuning tuning = kTinyTiles;
    tuning.spin_limit = 8;
    const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = 2});
    const std::uint64_t n = 90 * tile_of(d) + 7;
    check_encode<std::uint32_t>(d, runs<std::uint32_t>(n, 20, 9),
                                {.schedule = Schedule::look_back});
  }
}

TEST_CASE("run_length_encode: a count from the GPU, recorded twice and replayed") {
  const Device& d = device(kTinyTiles);
  const auto values = runs<std::uint32_t>(50'000, 4, 9);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(values.size() + 2000);
  const auto lengths = context().allocate<std::uint32_t>(values.size() + 2000);
  const auto run_count = context().allocate<std::uint64_t>(2);
  const auto count = device_count(2000u);
  const RunLengthEncodeDesc desc{.count = {values.size(), count.address()}};
  const DirtyScratch scratch(run_length_encode_scratch(d, desc));
  const auto expected =
      oracle::run_length_encode(std::vector<std::uint32_t>(values.begin(), values.begin() + 2000));
  const std::size_t n = expected.keys.size();
  const std::vector<std::uint32_t> want(expected.values.begin(), expected.values.end());
  replay(
      d, [&] { context().write(lengths, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_run_length_encode(cmd, d, desc,
                                        {.in = in.view(),
                                         .out = out.slice(2000 * i, values.size()).view(),
                                         .lengths = lengths.slice(2000 * i, values.size()).view(),
                                         .run_count = run_count.slice(i, 1).view(),
                                         .scratch = scratch.get()});
      },
      [&] {
        CHECK(context().download(run_count) == std::vector<std::uint64_t>(2, n));
        CHECK(context().download(lengths, 0, n) == want);
        CHECK(context().download(lengths, 2000, n) == want);
        CHECK(context().download(out, 2000, n) == expected.keys);
      });
}

TEST_CASE("run_length_encode: through the overload for Recorder, warmed up before") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  throw_if_error(warm_up(cold, RunLengthEncodeDesc{}));
  for (const std::uint64_t n : {std::uint64_t{10}, 3 * tile_of(cold)}) {
    check_encode<std::uint32_t>(cold, runs<std::uint32_t>(n, 3, 1), {});
  }
  const auto in = context().upload(std::vector<std::uint32_t>{7, 7, 5, 5, 5, 7});
  const auto out = context().allocate<std::uint32_t>(6),
             lengths = context().allocate<std::uint32_t>(6);
  const auto count = context().allocate<std::uint64_t>(1);
  context().run([&](Recorder& r) { run_length_encode(r, {}, in, out, lengths, count); });
  CHECK(context().download(count)[0] == 3);
  CHECK(context().download(out, 0, 3) == std::vector<std::uint32_t>{7, 5, 7});
  CHECK(context().download(lengths, 0, 3) == std::vector<std::uint32_t>{2, 3, 1});
}

TEST_CASE(
    "run_length_encode: the size query is monotone in the count and 0 for an invalid descriptor") {
  check_scratch_query(&run_length_encode_scratch);
}

TEST_CASE("run_length_encode: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const RunLengthEncodeDesc desc{.count = 100'000};
  const ScratchNeed need = run_length_encode_scratch(d, desc);
  const RunLengthEncodeBuffers good{
      .in = all.slice(0, 100'000).view(),
      .out = all.slice(200'000, 100'000).view(),
      .lengths = all.slice(300'000, 100'000).view(),
      .run_count = all.slice(400'000, 2).view(),
      .scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_run_length_encode, desc, good);
  wrong.anywhere();
  wrong.scratch("run_length_encode_scratch()");
  wrong.desc({"float_order is 2"}, [](auto& x) { x.float_order = FloatOrder(2); });
  wrong.desc({"length_width is 2"}, [](auto& x) { x.length_width = IndexWidth(2); });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"lengths.address is 0"}, [](auto& x) { x.lengths.address = 0; });
  wrong.buffers({"lengths.bytes is 399999"}, [](auto& x) { x.lengths.bytes -= 1; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  DeviceInfo info = d.state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  expect_error(Status::unsupported, {"length_width is u64", "int64"}, [&](VkCommandBuffer cmd) {
    return record_run_length_encode(cmd, narrow, {.length_width = IndexWidth::u64}, {});
  });
}

TEST_CASE("run_length_encode: smoke" * doctest::test_suite("smoke")) {
  check_encode<std::uint32_t>(device(kTinyTiles), runs<std::uint32_t>(1500, 3, 1),
                              {.schedule = Schedule::look_back});
}

}  // namespace vkprims::test

// Tests of histogram.
#include "oracles/histogram.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "reduce/histogram/histogram.abi.h"
#include "spirv/histogram_count.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// The least number of samples that a workgroup takes.
uint64_t tile_of(const Device& d, uint64_t sample_bytes) {
  const Tuning& tuning = d.state()->tuning;
  return uint64_t{16} * tuning.workgroup_size * std::min(tuning.rows_per_tile, 4u) / sample_bytes;
}

template <class Counter, class T, class Level = uint32_t>
std::vector<Counter> histogram_on_device(const Device& d, HistogramDesc desc,
                                         const std::vector<T>& samples, uint64_t shift = 0,
                                         const std::vector<Level>& levels = {},
                                         const std::vector<Counter>& before = {}) {
  desc.sample = sample_type_of<T>();
  desc.width = sizeof(Counter) == 8 ? CountWidth::u64 : CountWidth::u32;
  const Guarded in(samples, shift * sizeof(T));
  const Guarded at(levels, 4);
  const Guarded out = before.empty() ? Guarded(desc.bins * sizeof(Counter), 8) : Guarded(before, 8);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_histogram(
        cmd, d, desc, {in.view(), levels.empty() ? BufferView{} : at.view(), out.view()}));
  });
  return out.read<Counter>();
}

template <class Counter, class T, class Level = uint32_t>
std::vector<Counter> expected(const HistogramDesc& desc, const std::vector<T>& samples,
                              const std::vector<Level>& levels = {},
                              std::vector<Counter> before = {}) {
  before.resize(desc.bins);
  oracle::histogram<T, Counter, Level>(desc, samples, before, levels);
  return before;
}

template <class T, class Level = uint32_t>
void check(const Device& d, HistogramDesc desc, const std::vector<T>& samples, uint64_t shift = 0,
           const std::vector<Level>& levels = {}) {
  CAPTURE(static_cast<int>(sample_type_of<T>()));
  CAPTURE(static_cast<int>(desc.by));
  CAPTURE(desc.bins);
  CAPTURE(desc.lower);
  CAPTURE(desc.upper);
  CAPTURE(samples.size());
  CAPTURE(shift);
  desc.count = samples.size();
  CHECK(difference(histogram_on_device<uint32_t>(d, desc, samples, shift, levels),
                   expected<uint32_t>(desc, samples, levels)) == "");
}

// Returns bins + 1 numbers in [0, end), some of which are equal.
std::vector<uint32_t> random_levels(uint32_t bins, uint32_t end, uint32_t seed) {
  std::vector<uint32_t> levels = random_values<uint32_t>(bins + 1, seed);
  for (uint32_t& x : levels) x %= end;
  if (bins > 2) levels[bins / 2] = levels[bins / 2 + 1];
  std::sort(levels.begin(), levels.end());
  return levels;
}

// Returns samples that are spread over [-1, 1), with special values such as NaN and zeros among
// them.
std::vector<float> float_samples(uint64_t n) {
  std::vector<float> samples = random_values<float>(n, 11);
  const float inf = std::numeric_limits<float>::infinity();
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float special[] = {0.0f, -0.0f, tiny,          -tiny,
                           inf,  -inf,  std::nanf(""), -std::nanf(""),
                           1.0f, -1.0f, 0.5f,          std::nextafter(0.5f, 0.0f)};
  for (uint64_t i = 0; i < n; i += 7) samples[i] = special[i / 7 % std::size(special)];
  return samples;
}

template <class T>
std::vector<T> samples_of(uint64_t n) {
  if constexpr (std::is_same_v<T, float>) return float_samples(n);
  return random_values<T>(n, static_cast<uint32_t>(n) + 1);
}

// Returns a descriptor into whose bins some samples of T fall, but not all.
template <class T>
HistogramDesc some_bins(HistogramBins by) {
  if (std::is_same_v<T, float>) return {.by = by, .bins = 100, .lower = -0.75, .upper = 0.5};
  const double end = sizeof(T) == 1 ? 0x1p8 : sizeof(T) == 2 ? 0x1p16 : 0x1p32;
  const bool keys = by == HistogramBins::keys && sizeof(T) == 1;
  return {.by = by, .bins = keys ? 200u : 300u, .lower = std::floor(end / 7), .upper = end - 5};
}

}  // namespace

TEST_CASE("histogram: every type of samples and bins around every edge, at every alignment") {
  const auto of_type = [](auto zero) {
    using T = decltype(zero);
    const Device& d = device(kTinyTiles);
    for (const HistogramBins by :
         {HistogramBins::keys, HistogramBins::even, HistogramBins::levels}) {
      if (std::is_same_v<T, float> && by == HistogramBins::keys) continue;
      HistogramDesc desc = some_bins<T>(by);
      for (const uint64_t n : edge_counts(tile_of(d, sizeof(T)))) {
        for (uint64_t shift = 0; shift < 16 / sizeof(T); ++shift) {
          if (n > 100 && by != HistogramBins::even && shift % 3) continue;
          std::vector<T> samples = samples_of<T>(n);
          if constexpr (std::is_same_v<T, float>) {
            std::vector<float> levels(desc.bins + 1);
            for (uint32_t i = 0; i <= desc.bins; ++i) levels[i] = float(i * i) * 0x1p-14f - 0.3f;
            levels[50] = 0.0f, levels[49] = -0.0f;
            std::sort(levels.begin(), levels.end());
            check(d, desc, samples, shift,
                  by == HistogramBins::levels ? levels : std::vector<float>());
          } else {
            const uint32_t end = sizeof(T) == 1 ? 256 : sizeof(T) == 2 ? 65536 : ~0u;
            if (sizeof(T) > 1 && by == HistogramBins::keys) {
              for (T& x : samples) x = static_cast<T>(x % (desc.bins + 20));
            }
            const auto levels = by == HistogramBins::levels ? random_levels(desc.bins, end, 3)
                                                            : std::vector<uint32_t>();
            check(d, desc, samples, shift, levels);
          }
        }
      }
    }
  };
  of_type(uint8_t{});
  of_type(float{});
  if (subset()) return;
  of_type(uint16_t{});
  of_type(uint32_t{});
}

TEST_CASE("histogram: integer samples with a sign, by all kinds of bins") {
  const Device& d = device(kTinyTiles);
  const auto of_type = [&](auto zero) {
    using T = decltype(zero);
    const double end = sizeof(T) == 1 ? 0x1p7 : sizeof(T) == 2 ? 0x1p15 : 0x1p31;
    const uint64_t n = 2 * tile_of(d, sizeof(T)) + 5;
    std::vector<T> samples = random_values<T>(n, 6);
    constexpr T kEdges[] = {std::numeric_limits<T>::min(), -1, 0, 1, std::numeric_limits<T>::max()};
    for (uint64_t i = 0; i < n; i += 9) samples[i] = kEdges[i / 9 % 5];
    check(d, {.by = HistogramBins::even, .bins = 300, .lower = -end, .upper = end}, samples, 1);
    check(d, {.by = HistogramBins::even, .bins = 300, .lower = 3 - end, .upper = -2}, samples);
    std::vector<std::int32_t> levels = random_values<std::int32_t>(301, 7);
    for (std::int32_t& x : levels) x = static_cast<T>(x);
    levels[0] = std::numeric_limits<T>::min();
    std::sort(levels.begin(), levels.end());
    check(d, {.by = HistogramBins::levels, .bins = 300}, samples, 0, levels);
    for (T& x : samples) x = static_cast<T>(x % 300);
    check(d, {.by = HistogramBins::keys, .bins = 100}, samples);
  };
  of_type(std::int8_t{});
  of_type(std::int32_t{});
  if (!subset()) of_type(std::int16_t{});
}

TEST_CASE("histogram: from one bin to more than shared memory holds, in 16 KiB and more of it") {
  const auto check_bins = [](const Device& d, std::initializer_list<uint32_t> keys,
                             std::initializer_list<uint32_t> levels) {
    for (const uint32_t bins : keys) {
      if (subset() && bins != 8193) continue;
      std::vector<uint32_t> samples = random_values<uint32_t>(20'000, bins);
      for (uint32_t& x : samples) x %= bins + bins / 8 + 1;
      check(d, {.by = HistogramBins::keys, .bins = bins}, samples, 1);
    }
    for (const uint32_t bins : levels) {
      const std::vector<uint32_t> samples = random_values<uint32_t>(20'000, bins);
      check(d, {.by = HistogramBins::levels, .bins = bins}, samples, 0,
            random_levels(bins, 0xfffffff0u, bins));
    }
  };
  check_bins(device(kTinyTiles), {1, 33, 2048, 8192, 8193}, {1366, 4096, 10'000});
  DeviceInfo info = device(kTinyTiles).state()->info;
  DeviceHooks hooks = limits();
  hooks.shared16k = true;
  Device small;
  throw_if_error(create_device(info, hooks, small));
  observe(small);
  check_bins(small, {129, 4096, 4097}, {1366});
}

TEST_CASE("histogram: even bins of integers are those of the exact quotient") {
  const Device& d = device(kTinyTiles);
  std::mt19937_64 engine(5);
  for (int i = 0; i < 300; ++i) {
    // The cases mix powers of two and other numbers, few and many bins, narrow and wide ranges.
    // Within these bounds all of them share their pipelines.
    const uint64_t width = 1 + ((engine() & 0xffffffff) >> (engine() % 32));
    const uint32_t lower = static_cast<uint32_t>(engine() % (0x1'0000'0001 - width));
    const uint32_t many = 4096 - (i % 2 ? static_cast<uint32_t>(engine() % 1000) : 0);
    const uint32_t few = 256 - (i % 2 ? static_cast<uint32_t>(engine() % 120) : 0);
    const uint32_t bins = i == 0 ? 1 : i % 3 == 0 ? many : few;
    HistogramDesc desc{.by = HistogramBins::even,
                       .bins = bins,
                       .lower = double(lower),
                       .upper = double(lower + width)};
    if (i % 20 == 7) desc.lower = 0, desc.upper = 0x1p32;
    // The samples lie on both sides of the beginnings of bins.
    std::vector<uint32_t> samples = random_values<uint32_t>(200, static_cast<uint32_t>(i));
    const auto range = static_cast<uint64_t>(desc.upper - desc.lower);
    for (int k = 0; k < 800; ++k) {
      const uint64_t bin = engine() % (bins + 1);
      const uint64_t begin = static_cast<uint64_t>(desc.lower) + bin * range / bins;
      samples.push_back(static_cast<uint32_t>(begin + engine() % 3 - 1));
    }
    check(d, desc, samples);
    if (subset() && i == 30) break;
  }
}

TEST_CASE("histogram: even bins of floats are the host's, bit for bit") {
  const Device& d = device(kTinyTiles);
  std::mt19937_64 engine(6);
  for (int i = 0; i < 200; ++i) {
    const float scale = std::ldexp(1.0f, static_cast<int>(engine() % 120) - 60);
    const auto random = [&] { return scale * (float(engine() % 20'001) / 10'000.0f - 1); };
    float lower = random(), upper = random();
    if (i % 4 == 0) lower = 0;
    if (i % 4 == 1) upper = 0;
    if (lower > upper) std::swap(lower, upper);
    if (lower == upper) continue;
    const uint32_t bins = 130 + static_cast<uint32_t>(engine() % 120);
    std::vector<float> samples = float_samples(100);
    for (int k = 0; k < 900; ++k) {
      const float begin = lower + (upper - lower) * float(engine() % (bins + 1)) / float(bins);
      samples.push_back(std::nextafter(begin, k % 2 ? upper : lower));
      samples.push_back(begin);
    }
    check(d, {.by = HistogramBins::even, .bins = bins, .lower = lower, .upper = upper}, samples);
    if (subset() && i == 30) break;
  }
  // This is the widest range, and then the narrowest bins.
  const float most = std::numeric_limits<float>::max();
  std::vector<float> samples;
  for (int k = 0; k < 2000; ++k) {
    samples.push_back(std::bit_cast<float>(static_cast<uint32_t>(engine())));
    samples.push_back(std::ldexp(float(engine() % 256), -100 - static_cast<int>(engine() % 50)));
  }
  check(d, {.by = HistogramBins::even, .bins = 150, .lower = -most / 2, .upper = most / 2},
        samples);
  check(d, {.by = HistogramBins::even, .bins = 150, .lower = 0, .upper = 0x1p-92}, samples);
  check(d, {.by = HistogramBins::even, .bins = 150, .lower = -0x1p-93, .upper = 0x1p-93}, samples);
}

TEST_CASE("histogram: samples that are all the same, and such that nobody counts") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const uint32_t value : {7u, 255u}) {
      check(d, {.by = HistogramBins::keys, .bins = 200},
            std::vector<uint8_t>(100'001, static_cast<uint8_t>(value)), 3);
      for (const uint32_t bins : {200u, 3000u, 20'000u}) {
        if ((subset() || &d == &device()) && bins != 3000) continue;
        check(d, {.by = HistogramBins::keys, .bins = bins},
              std::vector<uint32_t>(30'001, value == 255 ? bins : value));
      }
    }
  }
}

TEST_CASE("histogram: many more samples than workgroups take in one step") {
  // If no more workgroups ran than are wanted, loops would exceed lavapipe's limit of iterations.
  const Device& d = device({.workgroup_size = 128, .rows_per_tile = 1, .max_reduce_groups = 1});
  check(d, {.by = HistogramBins::levels, .bins = 1000}, random_values<uint32_t>(700'000, 1), 1,
        random_levels(1000, 0xfffffff0u, 1));
  if (subset()) return;
  check(d, {.bins = 256}, random_values<uint8_t>(9'000'001, 1), 5);
  check(device(), {.bins = 256}, random_values<uint8_t>(3'000'001, 2), 1);
  const Device& three = device({.workgroup_size = 128, .rows_per_tile = 2, .max_reduce_groups = 3});
  check(three, {.by = HistogramBins::even, .bins = 50, .lower = 0, .upper = 0x1p32},
        random_values<uint32_t>(1'000'003, 2), 1);
  check(three, {.by = HistogramBins::levels, .bins = 1000}, random_values<uint16_t>(1'000'003, 2),
        1, random_levels(1000, 65536, 1));
}

TEST_CASE("histogram: counts of 64 bits carry, in shared memory and outside") {
  const Device& d = device(kTinyTiles);
  for (const uint32_t bins : {64u, 20'000u}) {
    std::vector<uint32_t> samples = random_values<uint32_t>(30'000, 4);
    for (uint32_t& x : samples) x %= bins;
    HistogramDesc desc{.by = HistogramBins::keys, .bins = bins, .count = samples.size()};
    CHECK(difference(histogram_on_device<uint64_t>(d, desc, samples),
                     expected<uint64_t>(desc, samples)) == "");
    desc.accumulate = true;
    std::vector<uint64_t> before(bins);
    for (uint32_t i = 0; i < bins; ++i) before[i] = (uint64_t{i} << 32) + 0xffffffffu - i % 50;
    CHECK(difference(histogram_on_device<uint64_t>(d, desc, samples, 0, {}, before),
                     expected<uint64_t>(desc, samples, {}, before)) == "");
  }
}

TEST_CASE("histogram: adds to what is there if asked to, and overwrites it otherwise") {
  const Device& d = device(kTinyTiles);
  const std::vector<uint8_t> samples = random_values<uint8_t>(5000, 4);
  const std::vector<uint32_t> before = random_values<uint32_t>(256, 5);
  for (const uint64_t n : {0, 5000}) {
    const std::vector<uint8_t> used(samples.begin(), samples.begin() + static_cast<long>(n));
    HistogramDesc desc{.count = n};
    CHECK(difference(histogram_on_device<uint32_t>(d, desc, used, 0, {}, before),
                     expected<uint32_t>(desc, used)) == "");
    desc.accumulate = true;
    CHECK(difference(histogram_on_device<uint32_t>(d, desc, used, 0, {}, before),
                     expected<uint32_t>(desc, used, {}, before)) == "");
  }
}

TEST_CASE("histogram: the count may be read on the GPU, as 32 or 64 bits, and is clamped to max") {
  const std::vector<uint8_t> samples = random_values<uint8_t>(100'000, 9);
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const uint64_t n : {0, 1, 2047, 2048, 2049, 5000, 100'000, 200'000}) {
      CAPTURE(n);
      std::vector<uint8_t> used = samples;
      used.resize(std::min<uint64_t>(n, samples.size()));
      const std::vector<uint32_t> want = expected<uint32_t>({}, used);
      const auto narrow = device_count(static_cast<uint32_t>(n));
      const HistogramDesc desc{.count = {samples.size(), narrow.address()}};
      CHECK(difference(histogram_on_device<uint32_t>(d, desc, samples, 3), want) == "");
      const auto wide = device_count(n | (n == 200'000 ? uint64_t{1} << 40 : 0));
      const HistogramDesc wide_desc{.count = {samples.size(), wide.address(), CountWidth::u64}};
      CHECK(difference(histogram_on_device<uint32_t>(d, wide_desc, samples), want) == "");
    }
  }
}

TEST_CASE("histogram: few samples, of which one workgroup stores the counts") {
  const Device& d = device();
  const uint64_t most = std::min(d.state()->tuning.single_scan_bytes, 1u << 14);
  const auto of_type = [&](auto zero, std::initializer_list<uint32_t> bins_of_keys) {
    using T = decltype(zero);
    const uint64_t tile = 16 / sizeof(T) * 256, edge = most / sizeof(T);
    for (const uint64_t n : {uint64_t{1}, uint64_t{3}, tile - 1, tile, tile + 1, edge, edge + 1}) {
      const std::vector<T> random = random_values<T>(n, 3);
      for (const uint32_t bins : bins_of_keys) {
        std::vector<T> samples = random;
        for (T& x : samples) x = static_cast<T>(x % (bins + bins / 9 + 1));
        check(d, {.by = HistogramBins::keys, .bins = bins}, samples, n % 3);
      }
      check(d, {.by = HistogramBins::even, .bins = 300, .lower = 7, .upper = 250}, random, 1);
      check(d, {.by = HistogramBins::levels, .bins = 20}, random, 0, random_levels(20, 256, 3));
    }
  };
  of_type(uint8_t{}, {1, 200, 256, 257, 1000});
  of_type(uint32_t{}, {1, 33, 2048, 8192, 8193});
  if (!subset()) of_type(uint16_t{}, {100, 4097});
  // Counts that are read on the GPU leave no count as it was, either.
  const std::vector<uint32_t> samples = random_values<uint32_t>(2000, 9);
  const std::vector<uint64_t> before(600, ~uint64_t{0});
  for (const uint32_t n : {0u, 1u, 1999u, 5000u}) {
    CAPTURE(n);
    const auto count = device_count(n);
    const HistogramDesc desc{.by = HistogramBins::even,
                             .bins = 600,
                             .lower = 0,
                             .upper = 0x1p32,
                             .count = {samples.size(), count.address()}};
    const std::span used = std::span(samples).first(std::min<size_t>(n, samples.size()));
    HistogramDesc host = desc;
    host.count = used.size();
    CHECK(difference(
              histogram_on_device<uint64_t>(d, desc, samples, 1, std::vector<uint32_t>(), before),
              expected<uint64_t>(host, std::vector<uint32_t>(used.begin(), used.end()))) == "");
  }
}

TEST_CASE("histogram: levels out of order or NaN put samples nowhere else than into bins") {
  // Guards surround the result, and the sum says how many samples were counted.
  const Device& d = device(kTinyTiles);
  std::vector<float> levels = float_samples(101);
  const std::vector<float> samples = float_samples(10'000);
  const HistogramDesc desc{.by = HistogramBins::levels, .bins = 100, .count = samples.size()};
  const auto counts = histogram_on_device<uint32_t>(d, desc, samples, 0, levels);
  CHECK(std::accumulate(counts.begin(), counts.end(), uint64_t{0}) <= samples.size());
}

TEST_CASE("histogram: a step of a Recorder, with and without levels") {
  const std::vector<uint16_t> samples = random_values<uint16_t>(50'000, 12);
  const std::vector<uint32_t> levels = random_levels(10, 65536, 2);
  const auto in = context().upload(samples);
  const auto at = context().upload(levels);
  const auto even = context().allocate<uint64_t>(20);
  const auto uneven = context().allocate<uint32_t>(10);
  const HistogramDesc in_even{.by = HistogramBins::even, .bins = 20, .lower = 100, .upper = 60'000};
  const HistogramDesc by_level{.by = HistogramBins::levels, .bins = 10};
  context().run([&](Recorder& r) {
    histogram(r, in_even, in, even);
    histogram(r, by_level, in, uneven, at);
  });
  CHECK(difference(context().download(even), expected<uint64_t>(in_even, samples)) == "");
  CHECK(difference(context().download(uneven), expected<uint32_t>(by_level, samples, levels)) ==
        "");
}

TEST_CASE("histogram: recorded twice in one command buffer, and replayed 100 times") {
  // By default one workgroup stores the counts of the first call, and others add to them.
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    const std::vector<uint8_t> samples = random_values<uint8_t>(10'000, 4);
    const auto in = context().upload(samples);
    const auto out = context().allocate<uint32_t>(256);
    HistogramDesc desc{.count = samples.size()};
    std::vector<uint32_t> want = expected<uint32_t>(desc, samples);
    for (uint32_t& x : want) x *= 2;
    replay(
        d, [&] { context().write(out, std::vector<uint32_t>(256, 77)); },
        [&](VkCommandBuffer cmd, uint64_t i) {
          desc.accumulate = i == 1;
          return record_histogram(cmd, d, desc, {in.view(), {}, out.view()});
        },
        [&] { CHECK(difference(context().download(out), want) == ""); });
  }
}

TEST_CASE("histogram: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<uint32_t>(1 << 16);
  const HistogramDesc desc{.sample = SampleType::u32, .count = 1000};
  const HistogramBuffers good{.in = memory.slice(0, 1000).view(),
                              .out = memory.slice(2000, 256).view()};
  const WrongInput w(d, &record_histogram, desc, good);
  w.anywhere();
  w.desc({"histogram: sample is 7"}, [](auto& x) { x.sample = SampleType(7); });
  w.desc({"by is 3"}, [](auto& x) { x.by = HistogramBins(3); });
  w.desc({"width is 2"}, [](auto& x) { x.width = CountWidth(2); });
  w.desc({"bins is 0", "268435456"}, [](auto& x) { x.bins = 0; });
  w.desc({"bins is 268435457"}, [](auto& x) { x.bins = kMaxHistogramBins + 1; });
  w.desc({"by is keys", "f32"}, [](auto& x) { x.sample = SampleType::f32; });
  const auto bounds = [&](std::initializer_list<const char*> words, SampleType sample, double lower,
                          double upper) {
    w.desc(words, [=](auto& x) {
      x.by = HistogramBins::even, x.sample = sample, x.lower = lower, x.upper = upper;
    });
  };
  const double nan = std::nan("");
  bounds({"lower is 0 and upper is 0"}, SampleType::u32, 0, 0);
  bounds({"lower is 5 and upper is 4"}, SampleType::u32, 5, 4);
  bounds({"upper is 4.5", "integers"}, SampleType::u8, 0, 4.5);
  bounds({"lower is -1", "integers"}, SampleType::u16, -1, 4);
  bounds({"upper is 4.29497e+09", "integers"}, SampleType::u32, 0, 0x1p32 + 1);
  bounds({"nan", "integers"}, SampleType::u32, 0, nan);
  bounds({"lower is -2.14748e+09", "-2^31"}, SampleType::i32, -0x1p31 - 1, 0);
  bounds({"upper is 2.14748e+09", "-2^31"}, SampleType::i8, 0, 0x1p31 + 1);
  bounds({"lower must be below upper"}, SampleType::f32, 1, 1);
  bounds({"lower must be below upper"}, SampleType::f32, 1, 1 + 1e-12);
  bounds({"nan"}, SampleType::f32, nan, 1);
  bounds({"finite"}, SampleType::f32, 0, HUGE_VAL);
  bounds({"finite"}, SampleType::f32, -3e38, 3e38);
  bounds({"2^-100 wide"}, SampleType::f32, 0, 0x1p-93);
  w.desc({"levels.address is 0", "1028 bytes"}, [](auto& x) { x.by = HistogramBins::levels; });
  w.both(
      {"levels.bytes is 1024", "1028"}, [](auto& x) { x.by = HistogramBins::levels; },
      [&](auto& x) { x.levels = memory.slice(4000, 256).view(); });
  w.buffers({"levels is given", "keys"}, [](auto& x) { x.levels = x.in; });
  w.buffers({"in.bytes is 3999", "4000"}, [](auto& x) { x.in.bytes -= 1; });
  w.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  w.buffers({"out.bytes is 1023", "1024"}, [](auto& x) { x.out.bytes -= 1; });
  w.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  w.both(
      {"out.address", "multiple of 8"}, [](auto& x) { x.width = CountWidth::u64; },
      [&](auto& x) {
        x.out = {x.out.address + 4, 2048};
      });
  w.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 3000; });
  w.both(
      {"levels [", "out [", "overlap"}, [](auto& x) { x.by = HistogramBins::levels; },
      [](auto& x) {
        x.levels = {x.out.address, 1028};
      });
  w.desc({"count", "out", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, HistogramDesc{.bins = 0}) == Status::invalid_argument);
  CHECK(histogram_scratch(d, desc).bytes == 0);
}

TEST_CASE("histogram: warm_up compiles all that recording needs") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const DeviceState& state = *device(tuning).state();
    DeviceInfo info = state.info;
    info.pipelines = PipelinePolicy::warmed_only;
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    HistogramDesc desc{.count = 3'000'000};
    const HistogramBuffers buffers{.in = {0x10000, 1u << 24}, .out = {0x80000000, 1u << 16}};
    expect_error(Status::not_warmed, {"warm_up"},
                 [&](VkCommandBuffer cmd) { return record_histogram(cmd, cold, desc, buffers); });
    throw_if_error(warm_up(cold, desc));
    for (const uint64_t n : {0, 1, 10, 3'000'000}) {
      for (const bool accumulate : {false, true}) {
        desc.count = n;
        desc.accumulate = accumulate;
        context().record([&](Recorder& r) {
          r.commands([&](VkCommandBuffer cmd) {
            throw_if_error(record_histogram(cmd, cold, desc, buffers));
          });
        });
      }
    }
  }
}

TEST_CASE("histogram: smoke" * doctest::test_suite("smoke")) {
  check(device(kTinyTiles), {}, random_values<uint8_t>(3000, 1), 1);
}

TEST_CASE("histogram: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::histogram_count_u8, sizeof(abi::HistogramPush)));
}

}  // namespace vkprims::test

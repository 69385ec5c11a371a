// Tests of scatter.
#include "oracles/scatter.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "blocks/indexed.hpp"
#include "elementwise/scatter/scatter.abi.h"
#include "spirv/scatter.hpp"
#include "support/indexed_data.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  ScatterMode mode = ScatterMode::assign;
  OutOfRange policy = OutOfRange::unchecked;
  Count count = {};                                                     // not given: all indices
  std::uint64_t used = ~0ull;                                           // the value of the count
  std::uint64_t misalign_in = 0, misalign_index = 0, misalign_out = 0;  // in elements
};

// Returns `before` as a scatter into it leaves it. The report is checked.
template <class E, class Index>
std::vector<E> scatter_on_device(const std::vector<E>& values, const std::vector<Index>& indices,
                                 const std::vector<E>& before, Options o) {
  o.count = o.count.or_all(indices.size());
  const Guarded in(values, o.misalign_in * sizeof(E));
  const Guarded index(indices, o.misalign_index * sizeof(Index));
  const Guarded out(before, o.misalign_out * sizeof(E));
  const Guarded report(std::vector<DeviceReport>(1), 8);
  ScatterDesc desc{.mode = o.mode,
                   .element_bytes = sizeof(E),
                   .index_width = index_width<Index>(),
                   .out_of_range = o.policy,
                   .count = o.count,
                   .out_count = before.size()};
  if constexpr (std::is_arithmetic_v<E>) desc.type = type_of<E>();
  const DirtyScratch scratch(scatter_scratch(*o.device, desc));
  const bool reports = o.policy != OutOfRange::unchecked;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scatter(cmd, *o.device, desc,
                                  {.in = in.view(),
                                   .indices = index.view(),
                                   .out = out.view(),
                                   .report = reports ? report.view() : BufferView{},
                                   .scratch = scratch.get()}));
  });
  const auto used = std::span(indices).first(std::min<std::uint64_t>(o.used, indices.size()));
  const auto outside =
      std::count_if(used.begin(), used.end(), [&](Index i) { return i >= before.size(); });
  check_report(report.read<DeviceReport>()[0], used, before.size(),
               reports ? static_cast<std::uint64_t>(outside) : 0);
  return out.template read<E>();
}

// Checks a scatter that has only one right result.
template <class E, class Index>
void check_against_oracle(const std::vector<E>& values, const std::vector<Index>& indices,
                          const std::vector<E>& before, const Options& o) {
  std::vector<E> expected = before;
  const auto used = std::span(indices).first(std::min<std::uint64_t>(o.used, indices.size()));
  if constexpr (std::is_arithmetic_v<E>) {
    oracle::scatter<E, Index>(values, used, o.policy, o.mode, expected);
  } else {
    oracle::scatter<E, Index>(values, used, o.policy, expected);
  }
  CHECK(bits_difference(scatter_on_device(values, indices, before, o), expected) == "");
}

// Returns every index below n once, shuffled.
template <class Index>
std::vector<Index> shuffled(std::uint64_t n, std::uint32_t seed = 5) {
  std::vector<Index> indices(n);
  std::iota(indices.begin(), indices.end(), Index{0});
  std::shuffle(indices.begin(), indices.end(), std::mt19937(seed));
  return indices;
}

// Puts every third of `indices` out of range of `bound`, either just past the end or far out.
template <class Index>
void spoil(std::vector<Index>& indices, std::uint64_t bound) {
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    indices[i] = static_cast<Index>(i % 2 ? bound : ~std::uint64_t{0});
  }
}

// Returns numbers whose sums are exact in any order, and for min and max all special values.
template <class T>
std::vector<T> numbers(ScatterMode mode, std::uint64_t n, std::uint32_t seed) {
  std::vector<T> values(n);
  std::uint64_t i = 0;
  for (const std::uint64_t random : random_values<std::uint64_t>(n, seed)) {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T inf = std::numeric_limits<T>::infinity();
      constexpr T nan = std::numeric_limits<T>::quiet_NaN();
      constexpr T tiny = std::numeric_limits<T>::denorm_min();
      const T special[] = {T(0), T(-0.0), nan, -nan, inf, -inf, tiny, -tiny};
      values[i] = static_cast<T>(static_cast<int>(random % 201) - 100);
      if (mode != ScatterMode::add && random % 3 == 0) values[i] = special[random / 256 % 8];
    } else {
      values[i] = static_cast<T>(random);
    }
    ++i;
  }
  return values;
}

bool wide_atomics(const Device& d) {
  const Features& has = d.features();
  return has.int64 && has.int64_atomics;
}

// Says whether the device supports the mode for the type.
bool offered(const Device& d, Type type, ScatterMode mode) {
  if (size_of(type) == 4) return true;
  if (type != Type::f64 && mode == ScatterMode::add) return true;
  return wide_atomics(d) && (mode != ScatterMode::add || d.features().float64);
}

constexpr ScatterMode kCombining[] = {ScatterMode::add, ScatterMode::min, ScatterMode::max};
constexpr Type kTypes[] = {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};

}  // namespace

TEST_CASE("scatter: every element size and both index widths, around the edges of tiles") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
    CAPTURE(size);
    with_element(size, [&](auto zero) {
      using E = decltype(zero);
      for (const std::uint64_t n : edge_counts(indexed_tile(d))) {
        CAPTURE(n);
        const auto values = random_elements<E>(n, size);
        const auto before = random_elements<E>(n + 3, size + 1);
        check_against_oracle(values, shuffled<std::uint32_t>(n), before, {.device = &d});
        check_against_oracle(values, shuffled<std::uint64_t>(n), before, {.device = &d});
      }
    });
  }
}

TEST_CASE("scatter: elements of 1 and 2 bytes next to each other, in order and from the end") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u}) {
    with_element(size, [&](auto zero) {
      using E = decltype(zero);
      std::vector<std::uint32_t> order(5000);
      std::iota(order.begin(), order.end(), 0u);
      const auto values = random_elements<E>(5000, 1);
      check_against_oracle(values, order, std::vector<E>(5000), {.device = &d});
      std::reverse(order.begin(), order.end());
      check_against_oracle(values, order, std::vector<E>(5000), {.device = &d, .misalign_out = 1});
    });
  }
}

TEST_CASE("scatter: of elements with one index, one is stored as a whole") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u}) {
    CAPTURE(size);
    with_element(size, [&](auto zero) {
      using E = decltype(zero);
      for (const std::uint64_t bins : {1, 4, 7, 1000}) {
        CAPTURE(bins);
        const auto values = random_elements<E>(20'000, 7);
        const auto indices = random_indices<std::uint32_t>(bins, 20'000, 0);
        const auto before = random_elements<E>(bins, 1);
        const auto result = scatter_on_device(values, indices, before, {.device = &d});
        std::vector<std::set<E>> candidates(bins);
        for (std::size_t i = 0; i < values.size(); ++i) candidates[indices[i]].insert(values[i]);
        for (std::uint64_t b = 0; b < bins; ++b) {
          if (candidates[b].empty()) candidates[b].insert(before[b]);
          CHECK(candidates[b].count(result[b]) == 1);
        }
      }
    });
  }
}

TEST_CASE("scatter: every type and mode combines what is there with all duplicates") {
  const Device& d = device(kTinyTiles);
  for (const Type type : kTypes) {
    for (const ScatterMode mode : kCombining) {
      if (!offered(d, type, mode)) continue;
      if (subset() && mode == ScatterMode::max) continue;
      CAPTURE(std::string(name_of(type)));
      CAPTURE(static_cast<std::uint32_t>(mode));
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (const std::uint64_t bins : {1, 5, 1000}) {
          CAPTURE(bins);
          for (const std::uint32_t seed : {1, 2}) {
            const auto values = numbers<T>(mode, 4001, seed);
            const auto before = numbers<T>(mode, bins, seed + 10);
            const auto indices = random_indices<std::uint32_t>(bins, 4001, 0, seed);
            check_against_oracle(values, indices, before, {.device = &d, .mode = mode});
          }
        }
      });
    }
  }
}

TEST_CASE("scatter: sums of floats that many meet at are complete") {
  const Device& d = device();
  const std::uint64_t n = 400'003;
  for (const std::uint64_t bins : {1, 2, 3, 64}) {
    CAPTURE(bins);
    const auto indices = random_indices<std::uint32_t>(bins, n, 0);
    const Options o{.device = &d, .mode = ScatterMode::add};
    check_against_oracle(std::vector<float>(n, 1.0f), indices, std::vector<float>(bins, 5.0f), o);
    if (subset() || !offered(d, Type::f64, ScatterMode::add)) continue;
    check_against_oracle(std::vector<double>(n, 1.0), indices, std::vector<double>(bins, 5.0), o);
  }
}

TEST_CASE("scatter: sums of floats keep their bound, -0, infinity and NaN") {
  const Device& d = device(kTinyTiles);
  const Options o{.device = &d, .mode = ScatterMode::add};
  const std::uint64_t n = 50'000, bins = 10;
  const auto values = random_values<float>(n, 4);
  const auto indices = random_indices<std::uint32_t>(bins, n, 0);
  std::vector<double> exact(bins, 0.5), magnitude(bins, 0.5), added(bins, 0);
  for (std::uint64_t i = 0; i < n; ++i) {
    exact[indices[i]] += values[i];
    magnitude[indices[i]] += std::abs(values[i]);
    added[indices[i]] += 1;
  }
  const auto result = scatter_on_device(values, indices, std::vector<float>(bins, 0.5f), o);
  for (std::uint64_t b = 0; b < bins; ++b) {
    CHECK(std::abs(result[b] - exact[b]) <= 1.1 * added[b] * 0x1p-24 * magnitude[b]);
  }
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto special =
      scatter_on_device(std::vector<float>{-0.0f, -0.0f, 0.0f, inf, -inf, inf, 1.0f},
                        std::vector<std::uint32_t>{0, 0, 1, 2, 2, 3, 3},
                        std::vector<float>{-0.0f, -0.0f, 1, 1, -0.0f}, o);
  CHECK(same_bits(special[0], -0.0f));
  CHECK(same_bits(special[1], 0.0f));
  CHECK(std::isnan(special[2]));
  CHECK(special[3] == inf);
  CHECK(same_bits(special[4], -0.0f));
}

TEST_CASE("scatter: every policy for indices out of range, with a report of them") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
    for (const OutOfRange policy : {OutOfRange::skip, OutOfRange::fill, OutOfRange::clamp}) {
      if (subset() && static_cast<std::uint32_t>(policy) != 1 + size % 3) continue;
      CAPTURE(size);
      CAPTURE(static_cast<std::uint32_t>(policy));
      with_element(size, [&](auto zero) {
        using E = decltype(zero);
        // All elements whose index is clamped have the same value, so it does not matter which one
        // wins.
        auto values = random_elements<E>(1500, 5);
        for (std::size_t i = 0; i < values.size(); i += 3) values[i] = values[0];
        auto narrow = shuffled<std::uint32_t>(1500);
        auto wide = shuffled<std::uint64_t>(1500);
        spoil(narrow, 1501);
        spoil(wide, 1501);
        const Options o{.device = &d, .policy = policy};
        const auto before = random_elements<E>(1501, 6);
        if (size == 1 || size == 4 || size == 16) {
          check_against_oracle(values, narrow, before, o);
          check_against_oracle(values, narrow, std::vector<E>(), o);
        } else {
          check_against_oracle(values, wide, before, o);
          check_against_oracle(values, wide, std::vector<E>(), o);
        }
      });
    }
  }
  const auto values = numbers<std::uint32_t>(ScatterMode::add, 3000, 1);
  const auto indices = random_indices<std::uint64_t>(100, 3000, 5);
  for (const OutOfRange policy : {OutOfRange::skip, OutOfRange::clamp}) {
    check_against_oracle(values, indices, std::vector<std::uint32_t>(100),
                         {.device = &d, .mode = ScatterMode::add, .policy = policy});
  }
}

TEST_CASE("scatter: views that begin at any element") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u}) {
    CAPTURE(size);
    with_element(size, [&](auto zero) {
      using E = decltype(zero);
      for (std::uint64_t shift = 0; shift < 64; ++shift) {
        const std::uint64_t a = shift % 4, b = shift / 4 % 4, c = shift / 16;
        if (subset() ? shift % 7 != 0 : shift % 3 == 1) continue;
        CAPTURE(shift);
        const Options o{.device = &d, .misalign_in = a, .misalign_index = b, .misalign_out = c};
        const std::uint64_t n = 1020 + shift % 9;
        const auto values = random_elements<E>(n, size);
        const auto before = random_elements<E>(n, 1);
        check_against_oracle(values, shuffled<std::uint32_t>(n), before, o);
        if (shift % 5 == 0) check_against_oracle(values, shuffled<std::uint64_t>(n), before, o);
      }
    });
  }
}

TEST_CASE("scatter: the count may be read on the GPU") {
  const Device& d = device(kTinyTiles);
  // 3,000,000 elements are more than 4,096 tiles, so the grid is computed on the GPU.
  for (const std::uint64_t max : {std::uint64_t{10'000}, std::uint64_t{3'000'000}}) {
    const std::vector<std::uint32_t> ones(max, 1);
    const auto indices = random_indices<std::uint32_t>(100, max, 0);
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 3, max + 77}) {
      if (subset() && n > max) continue;
      CAPTURE(max);
      CAPTURE(n);
      const std::vector<std::uint32_t> before(100, 7);
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      check_against_oracle(
          ones, indices, before,
          {.device = &d, .mode = ScatterMode::add, .count = {max, narrow.address()}, .used = n});
      const auto wide = device_count(n | (n > max ? std::uint64_t{1} << 40 : 0));
      check_against_oracle(ones, indices, before,
                           {.device = &d,
                            .mode = ScatterMode::add,
                            .count = {max, wide.address(), CountWidth::u64},
                            .used = n,
                            .misalign_in = 1});
    }
  }
}

TEST_CASE("scatter: more than 65,535 tiles, and the default tiles") {
  if (subset()) return;
  const Device& tiny = device(kTinyTiles);
  std::vector<std::uint32_t> backwards(65'545 * indexed_tile(tiny) + 3);
  std::iota(backwards.rbegin(), backwards.rend(), 0u);
  check_against_oracle(random_elements<Element<1>>(backwards.size(), 1), backwards,
                       std::vector<Element<1>>(backwards.size()), {.device = &tiny});
  check_against_oracle(random_elements<Element<2>>(1'000'003, 1),
                       shuffled<std::uint32_t>(1'000'003), std::vector<Element<2>>(1'000'003),
                       {.device = &device()});
}

TEST_CASE("scatter: a step of a Recorder, with and without a report") {
  const auto in = context().upload(std::vector<float>{1, 2, 3, 4});
  const auto indices = context().upload(std::vector<std::uint64_t>{2, 9, 0, 2});
  const auto out = context().upload(std::vector<float>{10, 20, 30});
  const auto bytes_in = context().upload(std::vector<std::uint8_t>{5, 6, 7, 8});
  const auto order = context().upload(std::vector<std::uint32_t>{3, 1, 0, 2});
  const auto bytes_out = context().upload(std::vector<std::uint8_t>(4));
  const auto report = context().upload(std::vector<DeviceReport>(1));
  context().run([&](Recorder& r) {
    scatter(r, {.mode = ScatterMode::add, .out_of_range = OutOfRange::skip}, in, indices, out,
            report);
    scatter(r, {}, bytes_in, order, bytes_out);
  });
  CHECK(context().download(out) == std::vector<float>{13, 20, 35});
  CHECK(context().download(bytes_out) == std::vector<std::uint8_t>{7, 6, 8, 5});
  CHECK(context().download(report)[0].count == 1);
  CHECK(context().download(report)[0].first_index == 1);
}

TEST_CASE("scatter: recorded twice in one command buffer, and replayed 100 times, dirty scratch") {
  const Device& d = device(kTinyTiles);
  const auto in = context().upload(std::vector<std::uint32_t>(3'000'000, 2));
  const auto indices = context().allocate<std::uint32_t>(3'000'000);
  context().write(indices, random_indices<std::uint32_t>(1, 2000, 0));
  const auto out = context().allocate<std::uint32_t>(2);
  const auto count = device_count(2000u);
  const ScatterDesc desc{
      .mode = ScatterMode::add, .count = {3'000'000, count.address()}, .out_count = 1};
  const DirtyScratch scratch(scatter_scratch(d, desc));
  replay(
      d,
      [&] {
        context().write(out, std::vector<std::uint32_t>{5, 6});
      },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_scatter(cmd, d, desc,
                              {.in = in.view(),
                               .indices = indices.view(),
                               .out = out.slice(i, 1).view(),
                               .scratch = scratch.get()});
      },
      [&] {
        CHECK(difference(context().download(out), {4005, 4006}) == "");
      });
}

TEST_CASE(
    "scatter: without 64-bit integers sums of u64 and i64 work, the rest is refused by name") {
  DeviceInfo info = device().state()->info;
  info.enabled.int64_atomics = false;
  Device no_atomics;
  throw_if_error(create_device(info, limits(), no_atomics));
  observe(no_atomics);
  const auto values = random_values<std::uint64_t>(5000, 3);
  const auto indices = random_indices<std::uint32_t>(9, 5000, 0);
  check_against_oracle(values, indices, random_values<std::uint64_t>(9, 8),
                       {.device = &no_atomics, .mode = ScatterMode::add});
  check_against_oracle(random_values<std::int64_t>(5000, 3), indices,
                       random_values<std::int64_t>(9, 8),
                       {.device = &no_atomics, .mode = ScatterMode::add});
  const auto refuse = [&](Type type, ScatterMode mode, std::initializer_list<const char*> words) {
    const ScatterDesc desc{.mode = mode, .type = type, .count = 1, .out_count = 1};
    expect_error(Status::unsupported, words,
                 [&](VkCommandBuffer cmd) { return record_scatter(cmd, no_atomics, desc, {}); });
    CHECK(warm_up(no_atomics, desc) == Status::unsupported);
  };
  const bool has_int64 = info.enabled.int64;
  refuse(Type::u64, ScatterMode::min, {"min of type u64", has_int64 ? "int64_atomics" : "int64"});
  refuse(Type::i64, ScatterMode::max, {"max of type i64"});
  refuse(Type::f64, ScatterMode::min, {"min of type f64"});
  refuse(Type::f64, ScatterMode::add, {"add of type f64"});
  constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
  CHECK(SpirvReader(vkprims::spirv::scatter_word32).capabilities.count(kInt64) == 0);
  CHECK(SpirvReader(vkprims::spirv::scatter_word32).capabilities.count(kFloat64) == 0);
  CHECK(SpirvReader(vkprims::spirv::scatter_word64).capabilities.count(kFloat64) == 0);
}

TEST_CASE("scatter: warm_up builds what any alignment needs") {
  const auto few = context().allocate<std::uint32_t>(50);
  const auto count = device_count(3u);
  const ScatterDesc desc{.element_bytes = 2,
                         .out_of_range = OutOfRange::skip,
                         .count = {4'000'000, count.address()},
                         .out_count = 100};
  const DirtyScratch scratch(scatter_scratch(device(kTinyTiles), desc));
  check_warm_up(
      desc, [&](VkCommandBuffer cmd, const Device& d, BufferView indices, BufferView elements) {
        return record_scatter(
            cmd, d, desc,
            {.in = elements, .indices = indices, .out = few.view(), .scratch = scratch.get()});
      });
}

TEST_CASE("scatter: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const ScatterDesc desc{.out_of_range = OutOfRange::skip, .count = 1000, .out_count = 500};
  const ScatterBuffers good{memory.slice(1000, 1000).view(), memory.slice(3000, 1000).view(),
                            memory.slice(0, 500).view(), memory.slice(5000, 8).view()};
  const WrongInput wrong(d, &record_scatter, desc, good);
  wrong.anywhere();
  check_wrong_indexed(wrong, "scatter_scratch() asks for 16", good, memory.address());
  wrong.desc({"mode is 4", "0 … 3"}, [](auto& x) { x.mode = ScatterMode(4); });
  wrong.desc({"out_count is 274877906945", "274877906944"},
             [](auto& x) { x.out_count = kMaxCount + 1; });
  wrong.desc({"out.bytes is 2000", "2004"}, [](auto& x) { x.out_count = 501; });
  wrong.desc({"in.bytes is 4000", "8000"},
             [](auto& x) { x.mode = ScatterMode::add, x.type = Type::u64, x.out_count = 1; });
  wrong.buffers({"in.bytes is 3999", "4000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"indices.address is 0"}, [](auto& x) { x.indices.address = 0; });
  wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 1; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 3996; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, ScatterDesc{.element_bytes = 5}) == Status::invalid_argument);
}

TEST_CASE("scatter: smoke" * doctest::test_suite("smoke")) {
  check_against_oracle(random_elements<Element<1>>(777, 1), shuffled<std::uint32_t>(777),
                       std::vector<Element<1>>(777), {.device = &device()});
}

TEST_CASE("scatter: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::scatter_word32, sizeof(abi::ScatterPush)));
}

}  // namespace vkprims::test

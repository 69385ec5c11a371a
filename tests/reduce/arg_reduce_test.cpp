// Tests of arg_reduce.
#include "oracles/arg_reduce.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "reduce/arg_reduce/arg_reduce.abi.h"
#include "spirv/arg_reduce.hpp"
#include "support/fold_counts.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

// All of these types work without any feature of the device.
std::vector<Type> all_types() {
  if (subset()) return {Type::u32, Type::f64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}

struct Options {
  const Device* device;
  Op op = Op::min;
  std::uint64_t misalign = 0;  // elements
  Count count = {};
  bool value = true;
};

template <class T>
oracle::Extreme<T> arg_reduce_on_device(const std::vector<T>& values, const Options& o) {
  const Guarded in(values, o.misalign * sizeof(T));
  const Guarded index(8, 8);
  const Guarded value(o.value ? sizeof(T) : 0, sizeof(T));
  const ArgReduceDesc desc{.type = type_of<T>(), .op = o.op, .count = o.count};
  const DirtyScratch scratch(arg_reduce_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_arg_reduce(cmd, *o.device, desc,
                                     {.in = in.view(),
                                      .index = index.view(),
                                      .value = o.value ? value.view() : BufferView{},
                                      .scratch = scratch.get()}));
  });
  CHECK(in.read<T>().size() == values.size());
  const std::vector<T> read = value.read<T>();
  return {index.read<std::uint64_t>()[0], o.value ? read[0] : T{}};
}

template <class T>
void check_result(const oracle::Extreme<T>& result, const oracle::Extreme<T>& expected) {
  CHECK(result.index == expected.index);
  CHECK(same_bits(result.value, expected.value));
}

template <class T>
void check_against_oracle(const std::vector<T>& values, const Options& o) {
  check_result(arg_reduce_on_device(values, o), oracle::arg_reduce<T>(values, o.op));
}

// Returns five values many times over, for floats with both zeros and NaN among them: nearly all
// elements tie.
template <class T>
std::vector<T> tied_values(std::uint64_t n, std::uint32_t seed) {
  std::vector<T> values(n);
  std::uint64_t i = 0;
  for (const std::uint32_t random : random_values<std::uint32_t>(n, seed)) {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T nan = std::numeric_limits<T>::quiet_NaN();
      const T of[] = {T(-0.0), T(0.0), random & 8 ? nan : -nan, T(-0.0), T(0.0)};
      values[i++] = of[random % 5];
    } else {
      values[i++] = static_cast<T>(random % 5 - (std::is_signed_v<T> ? 2 : 0));
    }
  }
  return values;
}

// Returns random values with the best value of the type at three random places. The first of these
// places may be anywhere.
template <class T>
std::vector<T> values_with_three_extremes(std::uint64_t n, Op op, std::uint32_t seed) {
  std::vector<T> values = random_values<T>(n, seed);
  const T extreme = oracle::identity<T>(op == Op::min ? Op::max : Op::min);
  if (n) {
    for (const auto random : random_values<std::uint32_t>(3, seed + 1))
      values[random % n] = extreme;
  }
  return values;
}

}  // namespace

TEST_CASE("arg_reduce: every type and operator equals a sequential search around every edge") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Type type : all_types()) {
      for (const Op op : {Op::min, Op::max}) {
        const bool is_tiny = tuning.rows_per_tile == 1;
        if (!paired(static_cast<std::size_t>(type) + (op == Op::max) + is_tiny)) continue;
        CAPTURE(std::string(name_of(type)));
        CAPTURE(std::string(name_of(op)));
        with_type(type, [&](auto zero) {
          using T = decltype(zero);
          for (const std::uint64_t n : fold_counts(d, type)) {
            CAPTURE(n);
            const auto seed = static_cast<std::uint32_t>(3 * n + 1);
            const Options o{.device = &d, .op = op, .count = n};
            check_against_oracle(tied_values<T>(n, seed), o);
            check_against_oracle(values_with_three_extremes<T>(n, op, seed), o);
          }
        });
      }
    }
  }
}

TEST_CASE("arg_reduce: an extreme is found at every place of a row, and the first one wins") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 3 * fold_tile(d, Type::u32) + 5;
  std::vector<std::uint32_t> values(n, 7);
  for (std::uint64_t i = 0; i < n; i += 61) {
    CAPTURE(i);
    values[i] = 3;
    for (const std::uint64_t again : {i + 1, i + 4, (i + n) / 2, n - 1}) {
      if (again < n) values[again] = 3;
    }
    CHECK(arg_reduce_on_device(values, {.device = &d, .count = n}).index == i);
    std::fill(values.begin(), values.end(), 7);
  }
}

TEST_CASE("arg_reduce: of elements that are all the operator's identity the first is named") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Type type : all_types()) {
      for (const Op op : {Op::min, Op::max}) {
        with_type(type, [&](auto zero) {
          using T = decltype(zero);
          for (const std::uint64_t n : {1, 3, 5000}) {
            const std::vector<T> values(n, oracle::identity<T>(op));
            const auto result = arg_reduce_on_device(values, {.device = &d, .op = op, .count = n});
            check_result(result, {0, oracle::identity<T>(op)});
          }
        });
      }
    }
  }
}

TEST_CASE("arg_reduce: views that are aligned to one element only give the same results") {
  const Device& d = device(kTinyTiles);
  for (const Type type : all_types()) {
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      for (const std::uint64_t n : edge_counts(fold_tile(d, type))) {
        CAPTURE(n);
        const Options o{.device = &d, .op = Op::max, .misalign = 1, .count = n};
        check_against_oracle(tied_values<T>(n, 5), o);
        check_against_oracle(values_with_three_extremes<T>(n, Op::max, 6), o);
      }
    });
  }
}

TEST_CASE("arg_reduce: many more tiles than workgroups") {
  const Device& d = device(
      {.workgroup_size = 128, .rows_per_tile = 1, .max_reduce_groups = 7, .single_group_bytes = 1});
  constexpr std::uint64_t n = 1'000'003;
  for (const std::uint64_t misalign : {0, 1}) {
    for (const std::uint32_t seed : {1, 2, 3}) {
      const Options o{.device = &d, .op = Op::max, .misalign = misalign, .count = n};
      check_against_oracle(values_with_three_extremes<std::uint32_t>(n, Op::max, seed), o);
    }
    check_against_oracle(tied_values<float>(n, 4),
                         {.device = &d, .misalign = misalign, .count = n});
  }
}

TEST_CASE("arg_reduce: the count may be read on the GPU, as 32 or 64 bits, and is clamped to max") {
  std::vector<std::uint32_t> values = random_values<std::uint32_t>(100'000, 9);
  values.back() = 0;  // the best value, which only counts that include it find
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : {0, 1, 511, 512, 513, 5000, 100'000, 200'000}) {
      CAPTURE(n);
      const auto used = std::span(values).first(std::min<std::uint64_t>(n, values.size()));
      const auto expected = oracle::arg_reduce<std::uint32_t>(used, Op::min);
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      const Count narrow_count(values.size(), narrow.address());
      check_result(arg_reduce_on_device(values, {.device = &d, .count = narrow_count}), expected);
      const auto wide = device_count(n | (n == 200'000 ? std::uint64_t{1} << 40 : 0));
      const Count wide_count(values.size(), wide.address(), CountWidth::u64);
      check_result(arg_reduce_on_device(values, {.device = &d, .count = wide_count}), expected);
    }
  }
}

TEST_CASE("arg_reduce: floats order -0 below +0, denormals are numbers and NaN is skipped") {
  const Device& d = device();
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    const T inf = std::numeric_limits<T>::infinity();
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const T tiny = std::numeric_limits<T>::denorm_min();
    const T last = std::numeric_limits<T>::max();
    const auto check_min = [&](const std::vector<T>& v, std::uint64_t index, T value) {
      check_result(arg_reduce_on_device(v, {.device = &d, .op = Op::min, .count = v.size()}),
                   {index, value});
    };
    const auto check_max = [&](const std::vector<T>& v, std::uint64_t index, T value) {
      check_result(arg_reduce_on_device(v, {.device = &d, .op = Op::max, .count = v.size()}),
                   {index, value});
    };
    check_min({T(0), -T(0), T(0), -T(0)}, 1, -T(0));
    check_max({-T(0), T(0), -T(0), T(0)}, 1, T(0));
    check_min({nan, T(3), nan, T(2), -nan, T(2)}, 3, T(2));
    check_max({nan, T(2), nan, T(3), -nan, T(3)}, 3, T(3));
    check_min({nan, -nan}, kNoIndex, inf);
    check_max({nan, -nan}, kNoIndex, -inf);
    check_min({}, kNoIndex, inf);
    check_max({}, kNoIndex, -inf);
    check_min({-nan, inf, nan, inf}, 1, inf);
    check_max({-nan, -inf, nan, -inf}, 1, -inf);
    check_min({tiny, T(0), 2 * tiny}, 1, T(0));
    check_min({-tiny, -T(0), -2 * tiny}, 2, -2 * tiny);
    check_max({-tiny, T(0), tiny}, 2, tiny);
    check_min({inf, last, -last, -inf}, 3, -inf);
    check_max({-inf, -last, last, inf}, 3, inf);
    check_min(std::vector<T>(70'000, nan), kNoIndex, inf);
    check_max(std::vector<T>(70'000, -nan), kNoIndex, -inf);
  };
  check(float{});
  check(double{});
}

TEST_CASE("arg_reduce: the value may be left out") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : {0, 1, 70'000}) {
      const std::vector<std::uint32_t> values = random_values<std::uint32_t>(n, 8);
      CHECK(arg_reduce_on_device(values, {.device = &d, .count = n, .value = false}).index ==
            oracle::arg_reduce<std::uint32_t>(values, Op::min).index);
    }
  }
}

TEST_CASE("arg_reduce: a step of a Recorder, with and without the value") {
  const std::vector<float> values = values_with_three_extremes<float>(70'000, Op::max, 12);
  const auto in = context().upload(values);
  const auto index = context().allocate<std::uint64_t>(2);
  const auto value = context().allocate<float>(1);
  context().run([&](Recorder& r) {
    arg_reduce(r, {.op = Op::max}, in, index.slice(0, 1), value);
    arg_reduce(r, {.op = Op::min}, in, index.slice(1, 1));
  });
  check_result({context().download(index)[0], context().download(value)[0]},
               oracle::arg_reduce<float>(values, Op::max));
  CHECK(context().download(index)[1] == oracle::arg_reduce<float>(values, Op::min).index);
}

TEST_CASE("arg_reduce: every type on a device without 64-bit integers and floats") {
  DeviceInfo info = device().state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  observe(narrow);
  for (const Type type : all_types()) {
    with_type(type, [&](auto zero) {
      check_against_oracle(tied_values<decltype(zero)>(3000, 1),
                           {.device = &narrow, .count = 3000});
    });
  }
  for (const Spirv* spirv : {&spirv::arg_reduce_u32, &spirv::arg_reduce_f32, &spirv::arg_reduce_u64,
                             &spirv::arg_reduce_f64}) {
    constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
    const SpirvReader module(*spirv);
    CHECK(module.capabilities.count(kFloat64) == 0);
    CHECK(module.capabilities.count(kInt64) == 0);
  }
}

TEST_CASE("arg_reduce: the same result from run to run") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> values = tied_values<float>(200'000, 11);
  const auto first = arg_reduce_on_device(values, {.device = &d, .count = values.size()});
  for (int i = 0; i < 10; ++i) {
    check_result(arg_reduce_on_device(values, {.device = &d, .count = values.size()}), first);
  }
}

TEST_CASE(
    "arg_reduce: recorded twice in one command buffer, and replayed 100 times, with one dirty "
    "scratch") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values =
      values_with_three_extremes<std::uint32_t>(20'000, Op::min, 4);
  const auto in = context().upload(values);
  const auto index = context().allocate<std::uint64_t>(2);
  const auto value = context().allocate<std::uint32_t>(2);
  const ArgReduceDesc desc{.count = values.size()};
  const DirtyScratch scratch(arg_reduce_scratch(d, desc));
  const auto expected = oracle::arg_reduce<std::uint32_t>(values, Op::min);
  replay(
      d,
      [&] {
        context().write(index, std::vector<std::uint64_t>{77, 77});
        context().write(value, std::vector<std::uint32_t>{77, 77});
      },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_arg_reduce(
            cmd, d, desc,
            {in.view(), index.slice(i, 1).view(), value.slice(i, 1).view(), scratch.get()});
      },
      [&] {
        CHECK(difference(context().download(index), {expected.index, expected.index}) == "");
        CHECK(difference(context().download(value), {expected.value, expected.value}) == "");
      });
}

TEST_CASE("arg_reduce: the size query is monotone in the count and 0 for an invalid descriptor") {
  const Device& d = device(kTinyTiles);
  for (const Type type : {Type::u32, Type::f64}) {
    const VkDeviceSize last = check_monotone(
        [&](std::uint64_t n) { return arg_reduce_scratch(d, {.type = type, .count = n}).bytes; });
    CHECK(last <= (128 << 10) + 16);
  }
  CHECK(arg_reduce_scratch(d, {.count = kMaxCount + 1}).bytes == 0);
  CHECK(arg_reduce_scratch(d, {.op = Op::add, .count = 1 << 20}).bytes == 0);
  CHECK(arg_reduce_scratch(Device(), {.count = 1 << 20}).bytes == 0);
}

TEST_CASE("arg_reduce: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const ArgReduceDesc desc{.count = 100'000};
  const ScratchNeed need = arg_reduce_scratch(d, desc);
  const Scratch scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes);
  const ArgReduceBuffers good{all.slice(0, 100'000).view(), all.slice(200'000, 2).view(),
                              all.slice(200'010, 1).view(), scratch};
  const WrongInput wrong(d, &record_arg_reduce, desc, good);
  wrong.anywhere();
  wrong.scratch("arg_reduce_scratch()");
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, ArgReduceDesc{.op = Op::mul}) == Status::invalid_argument);

  wrong.desc({"arg_reduce: op is add (0)", "min", "max"}, [](auto& x) { x.op = Op::add; });
  wrong.desc({"op is bit_xor (6)"}, [](auto& x) { x.op = Op::bit_xor; });
  wrong.desc({"op is invalid (99)"}, [](auto& x) { x.op = Op(99); });

  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"in.bytes is 399999", "400000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"index.address is 0", "8 bytes"}, [](auto& x) { x.index.address = 0; });
  wrong.buffers({"index.address", "multiple of 8"}, [](auto& x) { x.index.address += 4; });
  wrong.buffers({"index.bytes is 4", "8"}, [](auto& x) { x.index.bytes = 4; });
  wrong.buffers({"value.bytes is 3", "4"}, [](auto& x) { x.value.bytes = 3; });
  wrong.buffers({"value.address", "multiple of 4"}, [](auto& x) { x.value.address += 1; });

  wrong.buffers({"in [", "index [", "overlap"},
                [](auto& x) { x.index.address = x.in.address + 8; });
  wrong.buffers({"in [", "value [", "overlap"},
                [](auto& x) { x.value.address = x.in.address + 8; });
  wrong.buffers({"index [", "value [", "overlap"},
                [](auto& x) { x.value.address = x.index.address + 4; });
  wrong.buffers({"in [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.in.address; });
  wrong.desc({"index [", "count [", "overlap"}, [&](auto& x) {
    x.count = {100'000, good.index.address};
  });
  wrong.desc({"value [", "count [", "overlap"}, [&](auto& x) {
    x.count = {100'000, good.value.address};
  });
}

TEST_CASE("arg_reduce: smoke" * doctest::test_suite("smoke")) {
  check_against_oracle(values_with_three_extremes<std::uint32_t>(1500, Op::min, 1),
                       {.device = &device(kTinyTiles), .count = 1500});
}

TEST_CASE("arg_reduce: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::arg_reduce_u32, sizeof(abi::ArgReducePush)));
}

TEST_CASE("arg_reduce: what workgroups leave for the last one is accessed as non-private") {
  CHECK(SpirvReader(vkprims::spirv::arg_reduce_u32).non_private_accesses() >= 2);
  CHECK(SpirvReader(vkprims::spirv::arg_reduce_u64).non_private_accesses() >= 2);
}

}  // namespace vkprims::test

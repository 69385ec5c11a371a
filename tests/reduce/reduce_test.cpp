// Tests of reduce.
#include "oracles/reduce.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "blocks/operators.hpp"
#include "reduce/reduce/reduce.abi.h"
#include "runtime/push.hpp"
#include "spirv/reduce.hpp"
#include "spirv/reduce_affine.hpp"
#include "support/fold_counts.hpp"
#include "support/run_commands.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  Op op = Op::add;
  std::uint64_t misalign = 0;  // elements
  Value initial = {};
  Count count = {};
};

template <class T>
T reduce_on_device(const std::vector<T>& values, const Options& o) {
  const Guarded in(values, o.misalign * sizeof(T));
  const Guarded out(sizeof(T));
  const ReduceDesc desc{.type = type_of<T>(), .op = o.op, .count = o.count, .initial = o.initial};
  const DirtyScratch scratch(reduce_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_reduce(cmd, *o.device, desc, {in.view(), out.view(), scratch.get()}));
  });
  CHECK(in.read<T>().size() == values.size());
  return out.read<T>()[0];
}

template <class T>
void check_against_oracle(T result, const std::vector<T>& values, Op op, const Device& d) {
  const T expected = oracle::reduce<T>(values, op);
  if (std::is_integral_v<T> || op == Op::min || op == Op::max) {
    CHECK(same_bits(result, expected));
  } else if (op == Op::add) {
    const Tuning& tuning = d.state()->tuning;
    const std::uint64_t tiles = values.size() / fold_tile(d, type_of<T>()) + 1;
    const bool alone = values.size() * sizeof(T) <= tuning.single_group_bytes;
    const std::uint64_t groups =
        alone ? 1 : std::min<std::uint64_t>(tiles, tuning.max_reduce_groups);
    const oracle::Sum exact = oracle::sum<T>(values);
    CHECK(std::abs(result - exact.value) <=
          oracle::sum_error_bound<T>(exact, values.size(), groups, tuning.workgroup_size));
  } else {
    CHECK(std::abs(double(result) - double(expected)) <= 1.1 * (double(values.size()) + 20) *
                                                             std::numeric_limits<T>::epsilon() *
                                                             std::abs(double(expected)));
  }
}

}  // namespace

TEST_CASE(
    "reduce: every type and operator equals a sequential fold around subgroup and tile edges") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Type type : types()) {
      for (const Op op : ops(type)) {
        CAPTURE(std::string(name_of(type)));
        CAPTURE(std::string(name_of(op)));
        with_type(type, [&](auto zero) {
          using T = decltype(zero);
          for (const std::uint64_t n : fold_counts(d, type)) {
            CAPTURE(n);
            const std::vector<T> values = values_for<T>(op, n);
            check_against_oracle(reduce_on_device(values, {.device = &d, .op = op, .count = n}),
                                 values, op, d);
          }
        });
      }
    }
  }
}

TEST_CASE("reduce: views that are aligned to one element only give the same results") {
  const Device& d = device(kTinyTiles);
  for (const Type type : types()) {
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      for (const std::uint64_t n : edge_counts(fold_tile(d, type))) {
        CAPTURE(n);
        const std::vector<T> values = random_values<T>(n, 5);
        const T result = reduce_on_device(values, {.device = &d, .misalign = 1, .count = n});
        check_against_oracle(result, values, Op::add, d);
      }
    });
  }
}

TEST_CASE("reduce: many more tiles than workgroups") {
  const Device& d = device(
      {.workgroup_size = 128, .rows_per_tile = 1, .max_reduce_groups = 7, .single_group_bytes = 1});
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(1'000'003, 3);
  for (const std::uint64_t misalign : {0, 1}) {
    CHECK(reduce_on_device(values, {.device = &d, .misalign = misalign, .count = values.size()}) ==
          oracle::reduce<std::uint32_t>(values, Op::add));
  }
}

TEST_CASE("reduce: the count may be read on the GPU, as 32 or 64 bits, and is clamped to max") {
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(100'000, 9);
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : {0, 1, 511, 512, 513, 5000, 100'000, 200'000}) {
      CAPTURE(n);
      const auto used = std::span(values).first(std::min<std::uint64_t>(n, values.size()));
      const std::uint32_t expected = oracle::reduce<std::uint32_t>(used, Op::add);
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      CHECK(reduce_on_device(values, {.device = &d, .count = {values.size(), narrow.address()}}) ==
            expected);
      const auto wide = device_count(n | (n == 200'000 ? std::uint64_t{1} << 40 : 0));
      CHECK(reduce_on_device(values, {.device = &d,
                                      .count = {values.size(), wide.address(), CountWidth::u64}}) ==
            expected);
    }
  }
}

TEST_CASE(
    "reduce: an initial value is combined on the left, from the host, the device or the output "
    "itself") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t n : {0, 5, 5000}) {
    CAPTURE(n);
    const std::vector<float> values = random_values<float>(n, 2);
    const float expected = oracle::reduce<float>(values, Op::min, -0.75f);
    CHECK(reduce_on_device(values, {.device = &d, .op = Op::min, .initial = -0.75f, .count = n}) ==
          expected);
    const auto initial = context().upload(std::vector<float>{-0.75f});
    CHECK(reduce_on_device(
              values,
              {.device = &d, .op = Op::min, .initial = Value::at(initial.address()), .count = n}) ==
          expected);

    const std::vector<std::uint32_t> numbers = random_values<std::uint32_t>(n, 2);
    const Guarded in(numbers);
    const Guarded out(std::vector<std::uint32_t>{1000});
    const ReduceDesc desc{.count = n, .initial = Value::at(out.address())};
    const DirtyScratch scratch(reduce_scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_reduce(cmd, d, desc, {in.view(), out.view(), scratch.get()}));
    });
    CHECK(out.read<std::uint32_t>()[0] == oracle::reduce<std::uint32_t>(numbers, Op::add, 1000u));
  }
}

TEST_CASE("reduce: min and max of floats order -0 below +0 and skip NaN") {
  const Device& d = device();
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float tiny = std::numeric_limits<float>::denorm_min();
  const auto min_of = [&](std::vector<float> v) {
    return reduce_on_device(v, {.device = &d, .op = Op::min, .count = v.size()});
  };
  const auto max_of = [&](std::vector<float> v) {
    return reduce_on_device(v, {.device = &d, .op = Op::max, .count = v.size()});
  };
  CHECK(same_bits(min_of({0.0f, -0.0f, 0.0f}), -0.0f));
  CHECK(same_bits(max_of({-0.0f, 0.0f, -0.0f}), 0.0f));
  CHECK(same_bits(min_of({nan, 3.0f, nan, 2.0f, -nan}), 2.0f));
  CHECK(same_bits(max_of({nan, 3.0f, nan, 2.0f, -nan}), 3.0f));
  CHECK(same_bits(min_of({nan, -nan}), inf));
  CHECK(same_bits(max_of({nan, -nan}), -inf));
  CHECK(same_bits(min_of({}), inf));
  CHECK(same_bits(min_of({tiny, 0.0f, 2 * tiny}), 0.0f));
  CHECK(same_bits(max_of({tiny, 0.0f, -tiny}), tiny));
  CHECK(same_bits(min_of({inf, -inf}), -inf));
}

TEST_CASE("reduce: an operator that does not commute is folded in order") {
  // Pairs (a, b) stand for x -> a x + b over integers modulo 2^32, composed in the order of the
  // elements.
  const Device& d = device(
      {.workgroup_size = 128, .rows_per_tile = 1, .max_reduce_groups = 5, .single_group_bytes = 1});
  DeviceState& state = *d.state();
  for (const std::uint64_t n : {0, 1, 7, 127, 128, 129, 5000, 70'001}) {
    for (const std::uint64_t misalign : {0, 1}) {
      CAPTURE(n);
      CAPTURE(misalign);
      std::vector<std::uint32_t> values = random_values<std::uint32_t>(2 * n, 17);
      std::uint32_t a = 1, b = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        values[2 * i] |= 1;
        b = values[2 * i] * b + values[2 * i + 1];
        a = values[2 * i] * a;
      }
      const Guarded in(values, misalign * 8);
      const Guarded out(8);
      const DirtyScratch scratch({16 + 5 * 8});
      Specialization constants = fold_specialization(
          state, size_of(Type::u64), fold_operator(Type::u64, Op::add), in.address(), 5, n);
      constants.set(VKP_REDUCE_SPEC_COMMUTES, 0);
      const abi::ReducePush push{.in_base = push_u64(in.address()),
                                 .out_base = push_u64(out.address()),
                                 .scratch = push_u64(scratch.get().address),
                                 .count = push_count(n),
                                 .max_groups = 5};
      run_commands("reduce_affine", d, [&](Commands& commands) {
        VKPRIMS_TRY(commands.fill(scratch.get(), 0, 4));
        return commands.dispatch(
            spirv::reduce_affine, constants, push, Grid(5),
            {reads(in.view()), writes(out.view()), writes(scratch.get().address, 56)});
      });
      CHECK(out.read<std::uint32_t>() == std::vector<std::uint32_t>{a, b});
    }
  }
}

TEST_CASE("reduce: float sums are bit-identical from run to run") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> values = random_values<float>(200'000, 11);
  const float first = reduce_on_device(values, {.device = &d, .count = values.size()});
  for (int i = 0; i < 10; ++i) {
    CHECK(same_bits(first, reduce_on_device(values, {.device = &d, .count = values.size()})));
  }
}

TEST_CASE(
    "reduce: recorded twice in one command buffer, and replayed 100 times, with one dirty "
    "scratch") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(20'000, 4);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(2);
  const ReduceDesc desc{.count = values.size()};
  const DirtyScratch scratch(reduce_scratch(d, desc));
  const std::uint32_t expected = oracle::reduce<std::uint32_t>(values, Op::add);
  replay(
      d,
      [&] {
        context().write(out, std::vector<std::uint32_t>{0, 0});
      },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_reduce(cmd, d, desc, {in.view(), out.slice(i, 1).view(), scratch.get()});
      },
      [&] {
        CHECK(difference(context().download(out), {expected, expected}) == "");
      });
}

TEST_CASE("reduce: the size query is monotone in the count and 0 for an invalid descriptor") {
  const Device& d = device(kTinyTiles);
  check_monotone([&](std::uint64_t n) { return reduce_scratch(d, {.count = n}).bytes; });
  CHECK(reduce_scratch(d, {.count = kMaxCount + 1}).bytes == 0);
  CHECK(reduce_scratch(Device(), {.count = 1 << 20}).bytes == 0);
}

TEST_CASE("reduce: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const ReduceDesc desc{.count = 100'000};
  const ScratchNeed need = reduce_scratch(d, desc);
  const Scratch scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes);
  const ReduceBuffers good{all.slice(0, 100'000).view(), all.slice(200'000, 1).view(), scratch};
  const WrongInput wrong(d, &record_reduce, desc, good);
  wrong.anywhere();
  wrong.scratch("reduce_scratch()");
  wrong.desc({"op", "99"}, [](auto& x) { x.op = Op(99); });
  for (const Op op : {Op::bit_and, Op::bit_or, Op::bit_xor}) {
    wrong.desc({"op", name_of(op), "f32"}, [op](auto& x) {
      x.type = Type::f32;
      x.op = op;
    });
  }
  wrong.desc({"initial is 4294967296", "u32"}, [](auto& x) { x.initial = std::uint64_t{1} << 32; });
  wrong.desc({"initial", "0x1002", "multiple of 4"},
             [](auto& x) { x.initial = Value::at(0x1002); });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"in.bytes is 399999", "400000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"out.bytes is 3", "4"}, [](auto& x) { x.out.bytes = 3; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 4; });
  wrong.buffers({"in [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.in.address; });
  wrong.desc({"count [", "overlap"}, [&](auto& x) { x.count = {100'000, good.out.address}; });
}

TEST_CASE("reduce: views that touch do not overlap") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(3000);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const DirtyScratch scratch(reduce_scratch(d, {.count = 1000}));
  for (const std::uint64_t out : {999, 2000}) {  // the input is 1000 … 1999
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_reduce(cmd, d, {.count = 1000},
                        {all.slice(1000, 1000).view(), all.slice(out, 1).view(), scratch.get()}));
    });
  }
}

TEST_CASE("reduce: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& narrow, Type type) {
    return record_reduce(cmd, narrow, {.type = type}, {});
  });
}

TEST_CASE("reduce: smoke" * doctest::test_suite("smoke")) {
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(1500, 1);
  CHECK(reduce_on_device(values, {.device = &device(kTinyTiles), .count = values.size()}) ==
        oracle::reduce<std::uint32_t>(values, Op::add));
}

TEST_CASE("reduce: the last workgroup sees all others, over and over") {
  // Many small workgroups finish at nearly the same time. The scratch keeps the results of the
  // previous round, which had other data, so that a stale read gives a wrong sum.
  const Device& d = device({.workgroup_size = 128,
                            .rows_per_tile = 1,
                            .max_reduce_groups = 512,
                            .single_group_bytes = 1});
  const std::uint64_t n = 512 * 512;
  const std::vector<std::uint32_t> a = random_values<std::uint32_t>(n, 31),
                                   b = random_values<std::uint32_t>(n, 32);
  const auto in_a = context().upload(a), in_b = context().upload(b);
  const auto out = context().allocate<std::uint32_t>(64);
  const ReduceDesc desc{.count = n};
  const DirtyScratch scratch(reduce_scratch(d, desc));
  const Plan plan = context().record([&](Recorder& r) {
    for (std::uint64_t i = 0; i < 64; ++i) {
      r.commands([&](VkCommandBuffer cmd) {
        throw_if_error(record_reduce(
            cmd, d, desc, {(i % 2 ? in_b : in_a).view(), out.slice(i, 1).view(), scratch.get()}));
      });
    }
  });
  const std::uint32_t sum_a = oracle::reduce<std::uint32_t>(a, Op::add),
                      sum_b = oracle::reduce<std::uint32_t>(b, Op::add);
  for (int round = 0; round < repeats() / 64 + 1; ++round) {
    context().submit(plan).wait();
    const std::vector<std::uint32_t> sums = context().download(out);
    for (std::size_t i = 0; i < sums.size(); ++i) REQUIRE(sums[i] == (i % 2 ? sum_b : sum_a));
  }
}

TEST_CASE("reduce: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::reduce_u32, sizeof(abi::ReducePush), 8));
}

}  // namespace vkprims::test

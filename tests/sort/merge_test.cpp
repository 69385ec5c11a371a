// Tests of merge.
#include "oracles/merge.hpp"

#include <array>

#include "sort/merge/merge.abi.h"
#include "spirv/merge_partition.hpp"
#include "spirv/merge_tiles.hpp"
#include "support/sorted_sequences.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  bool values = true;
  bool count_out = true;
  Count a_count = {}, b_count = {};  // all if not given
  std::uint64_t a_used = ~0ull, b_used = ~0ull;
  std::uint64_t misalign_a = 0, misalign_b = 0, misalign_out = 0, misalign_values = 0;  // elements
  FloatOrder float_order = FloatOrder::by_value;
};

// Merges a and b, each key with a value that tells where it came from, and compares the result with
// the oracle.
template <class V, class T>
void check_against_oracle(const std::vector<T>& a, const std::vector<T>& b, Options o) {
  std::vector<V> a_values(a.size()), b_values(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) a_values[i] = static_cast<V>(i);
  for (std::size_t i = 0; i < b.size(); ++i) b_values[i] = static_cast<V>(~V(i));
  o.a_count = o.a_count.or_all(a.size());
  o.b_count = o.b_count.or_all(b.size());
  const std::uint64_t total = a.size() + b.size();
  const Guarded in_a(a, o.misalign_a * sizeof(T)), in_b(b, o.misalign_b * sizeof(T));
  const Guarded in_a_values(a_values, o.misalign_values * sizeof(V));
  const Guarded in_b_values(b_values, o.misalign_a * sizeof(V));
  const Guarded out(total * sizeof(T), o.misalign_out * sizeof(T));
  const Guarded out_values(o.values ? total * sizeof(V) : 0, o.misalign_values * sizeof(V));
  const Guarded count_out(8, 8);
  const MergeDesc desc{.type = type_of<T>(),
                       .value_bytes = o.values ? static_cast<std::uint32_t>(sizeof(V)) : 0,
                       .a_count = o.a_count,
                       .b_count = o.b_count,
                       .float_order = o.float_order};
  const DirtyScratch scratch(merge_scratch(*o.device, desc));
  MergeBuffers buffers{.a = in_a.view(), .b = in_b.view(), .out = out.view()};
  if (o.values) {
    buffers.a_values = in_a_values.view();
    buffers.b_values = in_b_values.view();
    buffers.out_values = out_values.view();
  }
  if (o.count_out) buffers.count_out = count_out.view();
  buffers.scratch = scratch.get();
  run([&](VkCommandBuffer cmd) { throw_if_error(record_merge(cmd, *o.device, desc, buffers)); });
  std::vector<std::pair<T, V>> pairs_a, pairs_b;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(o.a_used, a.size()); ++i) {
    pairs_a.push_back({a[i], a_values[i]});
  }
  for (std::size_t i = 0; i < std::min<std::uint64_t>(o.b_used, b.size()); ++i) {
    pairs_b.push_back({b[i], b_values[i]});
  }
  const auto expected = oracle::merge<T, V>(pairs_a, pairs_b, o.float_order);
  const auto keys = out.template read<T>();
  const auto values = out_values.template read<V>();
  T kept_key;
  V kept_value;
  std::memset(&kept_key, 0xcd, sizeof(T));
  std::memset(&kept_value, 0xcd, sizeof(V));
  std::uint64_t wrong_keys = 0, wrong_values = 0;
  for (std::uint64_t i = 0; i < total; ++i) {
    const bool there = i < expected.size();
    wrong_keys += !same_bits(keys[i], there ? expected[i].first : kept_key);
    if (o.values) wrong_values += values[i] != (there ? expected[i].second : kept_value);
  }
  CHECK(wrong_keys == 0);
  CHECK(wrong_values == 0);
  if (o.count_out) CHECK(count_out.read<std::uint64_t>()[0] == expected.size());
}

// All of these types work without any feature of the device.
std::vector<Type> all_types() {
  if (subset()) return {Type::f32, Type::i64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}

// Devices with tiny tiles, for which an invocation searches, and a subgroup.
std::array<const Device*, 2> both_searches() {
  Tuning few = kTinyTiles, many = kTinyTiles;
  few.small_count = 1 << 30;
  many.small_count = 1;
  return {&device(many), &device(few)};
}

std::uint64_t tile_of(const Device& d, Type type, std::uint32_t value_words = 0) {
  return std::uint64_t{d.state()->tuning.workgroup_size} *
         VKP_MERGE_ITEMS(size_of(type) / 4, value_words);
}

}  // namespace

TEST_CASE("merge: every type with and without values, around the edges of tiles") {
  const auto devices = both_searches();
  for (const Type type : all_types()) {
    CAPTURE(std::string(name_of(type)));
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      std::vector<std::uint64_t> counts = edge_counts(tile_of(*devices[0], type));
      const std::uint64_t with_values = tile_of(*devices[0], type, 1);
      counts.insert(counts.end(), {with_values - 1, with_values, with_values + 1, 3 * with_values});
      for (const std::uint64_t n : counts) {
        CAPTURE(n);
        for (const std::uint64_t spread : {3, 1 << 20}) {
          // At each count one spread is searched by invocations, and the other by subgroups.
          const Device& d = *devices[(n + (spread == 3)) % 2];
          const std::uint64_t half = n / 2;
          const auto a = sorted_keys<T>(half, spread, 1);
          const auto b = sorted_keys<T>(n - half, spread, 2);
          check_against_oracle<std::uint32_t>(a, b, {.device = &d});
          if (type != Type::u32 && type != Type::f64) continue;
          check_against_oracle<std::uint64_t>(a, b, {.device = &d});
          check_against_oracle<std::uint32_t>(a, b,
                                              {.device = &d, .values = false, .count_out = false});
        }
      }
    });
  }
}

TEST_CASE("merge: floats by their bits, so that -0 is below +0 and NaN have two places") {
  const Device& d = device(kTinyTiles);
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    const FloatOrder order = FloatOrder::by_bits;
    const auto a = sorted_keys<T>(1500, 20, 1, order), b = sorted_keys<T>(1700, 20, 2, order);
    check_against_oracle<std::uint32_t>(a, b, {.device = &d, .float_order = order});
  };
  check(float{});
  if (!subset()) check(double{});
}

TEST_CASE("merge: sequences of very different lengths, and empty ones") {
  for (const std::uint64_t na : {0, 1, 5, 1023, 1024, 5000}) {
    for (const std::uint64_t nb : {0, 1, 1024, 7001}) {
      for (const std::uint64_t spread : {2, 1000}) {
        CAPTURE(na);
        CAPTURE(nb);
        const auto a = sorted_keys<std::uint32_t>(na, spread, 3);
        const auto b = sorted_keys<std::uint32_t>(nb, spread, 4);
        for (const Device* d : both_searches()) {
          check_against_oracle<std::uint32_t>(a, b, {.device = d});
        }
      }
    }
  }
}

TEST_CASE("merge: one sequence before, behind or inside the other, and all keys equal") {
  std::vector<std::uint32_t> low(3000), high(2500), same(4000, 7), inside(1000);
  for (std::uint32_t i = 0; i < low.size(); ++i) low[i] = i / 3;
  for (std::uint32_t i = 0; i < high.size(); ++i) high[i] = 100'000 + i / 2;
  for (std::uint32_t i = 0; i < inside.size(); ++i) inside[i] = 500;
  for (const Device* d : both_searches()) {
    const Options o{.device = d};
    check_against_oracle<std::uint32_t>(low, high, o);
    check_against_oracle<std::uint32_t>(high, low, o);
    check_against_oracle<std::uint32_t>(low, inside, o);
    check_against_oracle<std::uint32_t>(inside, low, o);
    check_against_oracle<std::uint32_t>(same, same, o);
    check_against_oracle<std::uint32_t>(low, low, o);
  }
}

TEST_CASE("merge: views that begin at any element") {
  const Device& d = device(kTinyTiles);
  for (std::uint64_t shift = 0; shift < 256; ++shift) {
    if (shift % (subset() ? 37 : 11) != 0) continue;
    CAPTURE(shift);
    const Options o{.device = &d,
                    .misalign_a = shift % 4,
                    .misalign_b = shift / 4 % 4,
                    .misalign_out = shift / 16 % 4,
                    .misalign_values = shift / 64};
    const auto a = sorted_keys<float>(1500 + shift, 1000, 1);
    const auto b = sorted_keys<float>(1400, 1000, 2);
    check_against_oracle<std::uint32_t>(a, b, o);
    check_against_oracle<std::uint64_t>(a, b, o);
    const auto c = sorted_keys<std::uint64_t>(1500 + shift, 1000, 1);
    const auto e = sorted_keys<std::uint64_t>(1400, 1000, 2);
    check_against_oracle<std::uint32_t>(c, e, o);
    check_against_oracle<std::uint64_t>(c, e, o);
  }
}

TEST_CASE("merge: both counts may be read on the GPU; what lies past the sum stays as it was") {
  const auto devices = both_searches();
  // 4,400,000 elements are more than 4,096 tiles: the grid is computed on the GPU.
  for (const std::uint64_t max :
       {std::uint64_t{500}, std::uint64_t{5000}, std::uint64_t{2'200'000}}) {
    const Device& d = *devices[max == 5000];
    const auto a = sorted_keys<std::uint32_t>(max, 1 << 20, 1);
    const auto b = sorted_keys<std::uint32_t>(max, 1 << 20, 2);
    const std::uint64_t numbers[][2] = {
        {0, 0}, {1, 0}, {0, max / 3}, {max / 5, max + 9}, {max, max}};
    for (const auto& [na, nb] : numbers) {
      if (subset() && na == max) continue;
      CAPTURE(max);
      CAPTURE(na);
      CAPTURE(nb);
      const auto a_count = device_count(static_cast<std::uint32_t>(na));
      const auto b_count = device_count(nb | (nb > max ? std::uint64_t{1} << 40 : 0));
      check_against_oracle<std::uint32_t>(a, b,
                                          {.device = &d,
                                           .a_count = {max, a_count.address()},
                                           .b_count = {max, b_count.address(), CountWidth::u64},
                                           .a_used = na,
                                           .b_used = nb});
    }
    // One of the counts is given on the host.
    const auto count = device_count(static_cast<std::uint32_t>(max / 2));
    check_against_oracle<std::uint32_t>(
        a, b, {.device = &d, .b_count = {max, count.address()}, .b_used = max / 2});
  }
}

TEST_CASE("merge: more than 65,535 tiles, and the default tiles") {
  if (subset()) return;
  const Device& tiny = device(kTinyTiles);
  const std::uint64_t n = 65'545 * tile_of(tiny, Type::u32) / 2 + 3;
  std::vector<std::uint32_t> even(n), odd(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    even[i] = 2 * i;
    odd[i] = 2 * i + 1;
  }
  const auto a = context().upload(even);
  const auto b = context().upload(odd);
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const MergeDesc desc{.a_count = n, .b_count = n};
  const DirtyScratch scratch(merge_scratch(tiny, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_merge(cmd, tiny, desc,
                     {.a = a.view(), .b = b.view(), .out = out.view(), .scratch = scratch.get()}));
  });
  const std::vector<std::uint32_t> result = context().download(out);
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < 2 * n; ++i) wrong += result[i] != i;
  CHECK(wrong == 0);
  check_against_oracle<std::uint32_t>(sorted_keys<std::int32_t>(70'000, 1 << 20, 1),
                                      sorted_keys<std::int32_t>(50'000, 1 << 20, 2),
                                      {.device = &device()});
}

TEST_CASE("merge: sequences that are not sorted give some of their elements") {
  const auto a = random_values<std::uint32_t>(30'000, 1);
  const auto b = random_values<std::uint32_t>(20'000, 2);
  const auto in_a = context().upload(a);
  const auto in_b = context().upload(b);
  std::vector<std::uint32_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::sort(both.begin(), both.end());
  for (const Device* d : both_searches()) {
    const Guarded out(4 * 50'000);
    const MergeDesc desc{.a_count = 30'000, .b_count = 20'000};
    const DirtyScratch scratch(merge_scratch(*d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_merge(
          cmd, *d, desc,
          {.a = in_a.view(), .b = in_b.view(), .out = out.view(), .scratch = scratch.get()}));
    });
    std::uint64_t foreign = 0;
    for (const std::uint32_t key : out.read<std::uint32_t>()) {
      foreign += !std::binary_search(both.begin(), both.end(), key);
    }
    CHECK(foreign == 0);
  }
}

TEST_CASE("merge: nothing at all still makes a count") {
  const Device& d = device();
  check_against_oracle<std::uint32_t>(std::vector<std::uint32_t>(), std::vector<std::uint32_t>(),
                                      {.device = &d});
  spy().clear();
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_merge(cmd, d, {.a_count = 0, .b_count = 0}, {}));
  });
  CHECK(spy().recorded.empty());
}

TEST_CASE("merge: a step of a Recorder, with and without values") {
  const auto a = context().upload(std::vector<double>{1, 3, 5});
  const auto b = context().upload(std::vector<double>{2, 3});
  const auto a_values = context().upload(std::vector<std::uint32_t>{10, 30, 50});
  const auto b_values = context().upload(std::vector<std::uint32_t>{20, 31});
  const auto out = context().allocate<double>(5);
  const auto again = context().allocate<double>(5);
  const auto values = context().allocate<std::uint32_t>(5);
  context().run([&](Recorder& r) {
    merge(r, {}, a, b, out);
    merge(r, {}, a, b, again, a_values, b_values, values);
  });
  CHECK(context().download(out) == std::vector<double>{1, 2, 3, 3, 5});
  CHECK(context().download(again) == std::vector<double>{1, 2, 3, 3, 5});
  CHECK(context().download(values) == std::vector<std::uint32_t>{10, 20, 30, 31, 50});
}

TEST_CASE("merge: recorded twice in one command buffer, and replayed 100 times, dirty scratch") {
  const Device& d = device(kTinyTiles);
  const auto keys = sorted_keys<std::uint32_t>(3000, 500, 1);
  const auto a = context().allocate<std::uint32_t>(3'000'000);
  context().write(a, keys);
  const auto b = context().allocate<std::uint32_t>(3'000'000);
  context().write(b, keys);
  const auto out = context().allocate<std::uint32_t>(6'006'000);
  const auto count = device_count(3000u);
  const Count n{3'000'000, count.address()};
  const MergeDesc desc{.a_count = n, .b_count = n};
  const DirtyScratch scratch(merge_scratch(d, desc));
  std::vector<std::uint32_t> expected;
  for (int i = 0; i < 2; ++i) {
    for (const std::uint32_t key : keys) expected.insert(expected.end(), {key, key});
  }
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(12'000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_merge(cmd, d, desc,
                            {.a = a.view(),
                             .b = b.view(),
                             .out = out.slice(6000 * i, 6'000'000).view(),
                             .scratch = scratch.get()});
      },
      [&] { CHECK(difference(context().download(out, 0, 12'000), expected) == ""); });
}

TEST_CASE("merge: warm_up builds what any alignment and count needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  info.tuning.small_count = 10'000;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<std::uint32_t>(18'000'000);
  const auto count = device_count(3u);
  const auto record = [&](VkCommandBuffer cmd, std::uint64_t n, std::uint64_t shift) {
    const MergeDesc desc{.a_count = {n, count.address()}, .b_count = n};
    const DirtyScratch scratch(merge_scratch(d, desc));
    return record_merge(cmd, d, desc,
                        {.a = memory.slice(1, n).view(),
                         .b = memory.slice(4'000'000, n).view(),
                         .out = memory.slice(8'000'000 + shift, 2 * n).view(),
                         .scratch = scratch.get()});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, 100, 0); });
  const Count any{100, count.address()};
  throw_if_error(warm_up(d, MergeDesc{.a_count = any, .b_count = 100}));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (const std::uint64_t n : {100, 4000, 3'000'000}) {
        for (const std::uint64_t shift : {0, 1}) throw_if_error(record(cmd, n, shift));
      }
    });
  });
}

TEST_CASE("merge: the size query is monotone in the counts and 0 for an invalid descriptor") {
  const Device& d = device();
  check_monotone([&](std::uint64_t n) {
    return merge_scratch(d, {.a_count = n / 2, .b_count = n / 2}).bytes;
  });
  CHECK(merge_scratch(d, {.a_count = kMaxCount, .b_count = 1}).bytes == 0);
  CHECK(merge_scratch(Device(), {.a_count = 1 << 20}).bytes == 0);
}

TEST_CASE("merge: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const MergeDesc desc{.value_bytes = 4, .a_count = 1000, .b_count = 500};
  const ScratchNeed need = merge_scratch(d, desc);
  const Scratch scratch = scratch_view(d, memory.handle(), 4 * 20'000, need.bytes);
  const MergeBuffers good{memory.slice(0, 1000).view(),    memory.slice(1000, 500).view(),
                          memory.slice(2000, 1500).view(), memory.slice(4000, 1000).view(),
                          memory.slice(5000, 500).view(),  memory.slice(6000, 1500).view(),
                          memory.slice(10'000, 2).view(),  scratch};
  const WrongInput wrong(d, &record_merge, desc, good);
  wrong.anywhere();
  wrong.scratch("merge_scratch()");
  wrong.desc({"float_order is 2"}, [](auto& x) { x.float_order = FloatOrder(2); });
  wrong.desc({"value_bytes is 2", "0, 4 or 8"}, [](auto& x) { x.value_bytes = 2; });
  wrong.desc({"a_values is given", "value_bytes is 0"}, [](auto& x) { x.value_bytes = 0; });
  wrong.desc({"a_count is 274877906945"}, [](auto& x) { x.a_count = kMaxCount + 1; });
  wrong.desc({"b_count is 274877906945"}, [](auto& x) { x.b_count = kMaxCount + 1; });
  wrong.desc({"together 274877907444", "274877906944"}, [](auto& x) { x.a_count = kMaxCount; });
  wrong.desc({"b_count.width is 7"}, [](auto& x) { x.b_count.width = CountWidth(7); });
  wrong.desc({"a_count.address", "multiple of 4"}, [](auto& x) { x.a_count = {1000, 0x1002}; });
  wrong.desc({"a_values.bytes is 4000", "8000"}, [](auto& x) { x.value_bytes = 8; });
  wrong.desc({"out [", "a_count [", "overlap"}, [&](auto& x) {
    x.a_count = {1000, good.out.address};
  });
  wrong.desc({"count_out [", "b_count [", "overlap"}, [&](auto& x) {
    x.b_count = {500, good.count_out.address};
  });
  wrong.buffers({"a.address", "multiple of 4"}, [](auto& x) { x.a.address += 2; });
  wrong.buffers({"b.address is 0"}, [](auto& x) { x.b.address = 0; });
  wrong.buffers({"b.bytes is 1999", "2000"}, [](auto& x) { x.b.bytes -= 1; });
  wrong.buffers({"out.bytes is 5999", "6000"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"out_values.bytes is 5999", "6000"}, [](auto& x) { x.out_values.bytes -= 1; });
  wrong.buffers({"b_values.address is 0"}, [](auto& x) { x.b_values.address = 0; });
  wrong.buffers({"count_out.bytes is 4", "8"}, [](auto& x) { x.count_out.bytes = 4; });
  wrong.buffers({"count_out.address", "multiple of 8"}, [](auto& x) { x.count_out.address += 4; });
  wrong.buffers({"a [", "out [", "overlap"}, [](auto& x) { x.out.address = x.a.address; });
  wrong.buffers({"b_values [", "out_values [", "overlap"},
                [](auto& x) { x.out_values.address = x.b_values.address; });
  wrong.buffers({"out [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.out.address; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, MergeDesc{.value_bytes = 3}) == Status::invalid_argument);
}

TEST_CASE("merge: no type needs a feature of the device") {
  for (const Spirv* spirv : {&spirv::merge_tiles_word, &spirv::merge_tiles_pair,
                             &spirv::merge_partition_word, &spirv::merge_partition_pair}) {
    constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
    CHECK(SpirvReader(*spirv).capabilities.count(kFloat64) == 0);
    CHECK(SpirvReader(*spirv).capabilities.count(kInt64) == 0);
  }
}

TEST_CASE("merge: smoke" * doctest::test_suite("smoke")) {
  check_against_oracle<std::uint32_t>(sorted_keys<float>(1500, 100, 1),
                                      sorted_keys<float>(777, 100, 2), {.device = &device()});
}

TEST_CASE("merge: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::merge_tiles_word, sizeof(abi::MergePush)));
}

}  // namespace vkprims::test

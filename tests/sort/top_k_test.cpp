// Tests of top_k.
#include "oracles/top_k.hpp"

#include "sort/top_k/top_k.abi.h"
#include "spirv/top_k_alone.hpp"
#include "spirv/top_k_histogram.hpp"
#include "spirv/top_k_sample.hpp"
#include "spirv/top_k_select.hpp"
#include "spirv/top_k_ties.hpp"
#include "support/sorted_sequences.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

// There are three ways: one workgroup, passes over the input, and a sample first. small_count
// decides between the last two.
constexpr Tuning with_passes(Tuning tuning) {
  tuning.small_count = 1 << 30;
  return tuning;
}
constexpr Tuning alone(Tuning tuning) {
  tuning.single_scan_bytes = 1 << 20;
  return tuning;
}
const Device& passing() { return device(with_passes(kTinyTiles)); }
const Device& sampling() {
  static constexpr Tuning kTuning = [] {
    Tuning tuning = kTinyTiles;
    tuning.small_count = 1;
    return tuning;
  }();
  return device(kTuning);
}
const Device& single() { return device(alone(kTinyTiles)); }

struct Options {
  const Device* device;
  TopKDesc desc;  // all keys if no count is given
  std::uint64_t used = ~0ull;
  bool indices = true;
  bool count_out = true;
  std::uint64_t misalign_in = 0, misalign_out = 0, misalign_indices = 0;  // elements
  std::size_t counter = 0;                                                // word of scratch to read
};

// How the results were found.
struct Found {
  bool sampled = false;     // the sample gave a range of codes
  bool candidates = false;  // all results were taken from the candidates
  std::uint32_t state = 0;
  std::uint32_t counter = 0;
};

template <class Index, class T>
Found check_with_index(const std::vector<T>& in, Options o) {
  o.desc.type = type_of<T>();
  o.desc.index_width = sizeof(Index) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  o.desc.count = o.desc.count.or_all(in.size());
  const std::uint64_t room = std::min<std::uint64_t>(*o.desc.k, o.desc.count.max);
  const Guarded keys(in, o.misalign_in * sizeof(T));
  const Guarded out(room * sizeof(T), o.misalign_out * sizeof(T));
  const Guarded indices(o.indices ? room * sizeof(Index) : 0, o.misalign_indices * sizeof(Index));
  const Guarded count_out(8, 8);
  const ScratchNeed need = top_k_scratch(*o.device, o.desc);
  const DirtyScratch scratch(need);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_top_k(cmd, *o.device, o.desc,
                                {.in = keys.view(),
                                 .out = out.view(),
                                 .indices_out = o.indices ? indices.view() : BufferView{},
                                 .count_out = o.count_out ? count_out.view() : BufferView{},
                                 .scratch = scratch.get()}));
  });
  const std::size_t used = std::min<std::uint64_t>(o.used, in.size());
  const auto expected = oracle::top_k(std::span(in).first(used), o.desc);
  const auto got = out.template read<T>();
  const auto got_indices = indices.template read<Index>();
  T kept;
  Index kept_index;
  std::memset(&kept, 0xcd, sizeof kept);
  std::memset(&kept_index, 0xcd, sizeof kept_index);
  std::uint64_t wrong = 0, wrong_indices = 0;
  for (std::uint64_t i = 0; i < room; ++i) {
    const bool there = i < expected.size();
    wrong += !same_bits(got[i], there ? in[expected[i]] : kept);
    if (o.indices) wrong_indices += got_indices[i] != (there ? Index(expected[i]) : kept_index);
  }
  CHECK(wrong == 0);
  CHECK(wrong_indices == 0);
  if (o.count_out) CHECK(count_out.read<std::uint64_t>()[0] == expected.size());
  if (need.bytes < VKP_TOP_K_BINS_OFFSET) return {};
  const auto plan = scratch.words(std::max<std::size_t>(VKP_TOP_K_BINS_OFFSET / 4, o.counter + 1));
  const auto word = [&](std::uint32_t i) { return plan[VKP_TOP_K_PLAN_OFFSET / 4 + i]; };
  return {word(VKP_TOP_K_SAMPLED) == 1, word(VKP_TOP_K_FROM_CANDIDATES64) != 0,
          word(VKP_TOP_K_STATE), plan[o.counter]};
}

template <class T>
Found check_against_oracle(const std::vector<T>& in, const Options& o) {
  return check_with_index<std::uint32_t>(in, o);
}

// All of these types work without any feature of the device.
std::vector<Type> all_types() {
  if (subset()) return {Type::f32, Type::i64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}

std::vector<std::uint64_t> sizes() {
  if (subset()) return {1, 9, 511, 513, 2049, 5000};
  return {1, 2, 7, 8, 9, 127, 129, 512, 513, 2047, 2049, 9001};
}

constexpr TopKSide kSides[] = {TopKSide::largest, TopKSide::smallest};

// Checks all sizes, with many equal keys and with few.
template <class T>
void check_sizes(const Device& d, TopKSide side, FloatOrder order) {
  for (const std::uint64_t n : sizes()) {
    CAPTURE(n);
    for (const std::uint64_t k : {std::uint64_t{1}, n / 3, n - 1}) {
      CAPTURE(k);
      const auto keys = random_keys<T>(n, n % 2 ? 20 : 1 << 20, 1);
      check_against_oracle(keys,
                           {.device = &d, .desc = {.side = side, .float_order = order, .k = k}});
    }
  }
}

}  // namespace

TEST_CASE("top_k: every type, side and float order, around the edges of tiles") {
  for (const Type type : all_types()) {
    CAPTURE(std::string(name_of(type)));
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      check_sizes<T>(single(), TopKSide::largest, FloatOrder::by_bits);
      if (type == Type::u32 || type == Type::i64) {
        check_sizes<T>(single(), TopKSide::smallest, FloatOrder::by_bits);
      } else if (std::is_floating_point_v<T>) {
        check_sizes<T>(single(), TopKSide::smallest, FloatOrder::by_value);
      }
    });
  }
}

TEST_CASE("top_k: sizes around the edges of tiles, by passes over the input, and with a sample") {
  // All ways share the code that depends on the type.
  for (const Device* d : {&passing(), &sampling()}) {
    check_sizes<float>(*d, TopKSide::smallest, FloatOrder::by_value);
    check_sizes<std::int64_t>(*d, TopKSide::smallest, FloatOrder::by_bits);
    if (subset()) continue;
    check_sizes<std::uint32_t>(*d, TopKSide::largest, FloatOrder::by_bits);
  }
}

TEST_CASE("top_k: k of 0, of all keys and of more than there are") {
  for (const Device* d : {&single(), &passing(), &sampling()}) {
    for (const std::uint64_t n : {1, 700, 3000}) {
      const auto keys = random_keys<std::uint32_t>(n, 100, 1);
      for (const std::uint64_t k : {std::uint64_t{0}, n, n + 1, ~std::uint64_t{0}}) {
        CAPTURE(n);
        CAPTURE(k);
        check_against_oracle(keys, {.device = d, .desc = {.k = k}});
      }
    }
  }
}

TEST_CASE("top_k: of equal keys the first ones are taken") {
  for (const Device* d : {&single(), &passing(), &sampling()}) {
    for (const std::uint64_t n : {600, 20'000}) {
      std::vector<std::uint32_t> same(n, 7), two(n), high(n), low(n);
      for (std::uint32_t i = 0; i < n; ++i) {
        two[i] = i % 2;
        high[i] = i % 3 << 30;
        low[i] = 0xabcdef00 + i % 3;
      }
      for (const auto& keys : {same, two, high, low}) {
        for (const std::uint64_t k : {std::uint64_t{1}, n / 3, n / 2, n / 2 + 1, n - 1}) {
          CAPTURE(n);
          CAPTURE(k);
          check_against_oracle(keys, {.device = d, .desc = {.k = k}});
        }
      }
      const std::vector<double> zeros{0.0, -0.0, -0.0, 0.0, -0.0, 0.0};
      check_against_oracle(zeros,
                           {.device = d, .desc = {.float_order = FloatOrder::by_value, .k = 3}});
    }
  }
}

TEST_CASE("top_k: NaN are taken after all numbers, on either side, or by their bits") {
  std::vector<float> keys = random_values<float>(5000, 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % 3 == 0) keys[i] = i % 2 ? std::nanf("") : -std::nanf("");
    if (i % 100 == 1) keys[i] = i % 200 == 1 ? INFINITY : -INFINITY;
  }
  const auto check = [&](const Device& d, TopKSide side, FloatOrder order) {
    for (const std::uint64_t k : {20, 30, 2000, 4000, 4990}) {
      CAPTURE(k);
      check_against_oracle(keys,
                           {.device = &d, .desc = {.side = side, .float_order = order, .k = k}});
    }
  };
  for (const TopKSide side : kSides) {
    check(single(), side, FloatOrder::by_bits);
    check(single(), side, FloatOrder::by_value);
  }
  check(passing(), TopKSide::smallest, FloatOrder::by_value);
  check(sampling(), TopKSide::smallest, FloatOrder::by_value);
}

TEST_CASE("top_k: a sample finds the candidates; where it misleads, passes over the input do") {
  const std::uint64_t n = subset() ? 60'000 : 300'000;
  const std::vector<std::uint32_t> random = random_values<std::uint32_t>(n, 5);
  const auto found = [&](const std::vector<std::uint32_t>& keys, std::uint64_t k) {
    CAPTURE(k);
    return check_against_oracle(keys, {.device = &sampling(), .desc = {.k = k}});
  };
  for (const std::uint64_t k : {1, 16, 500}) {
    const Found few = found(random, k);
    CHECK(few.sampled);
    CHECK(few.candidates);
  }
  for (const std::uint64_t k : {n / 3, n / 2, n - n / 9}) {
    const Found many = found(random, k);
    CHECK(many.sampled);
    CHECK(!many.candidates);
  }
  // More keys tie than there may be candidates: the sample tells which key the ties have.
  const Found same = found(std::vector<std::uint32_t>(n, 5), n / 50);
  CHECK(same.sampled);
  CHECK(!same.candidates);
  CHECK(same.state == VKP_TOP_K_CUT);
  // All large keys lie close together, where the sample finds too many or too few of them.
  std::vector<std::uint32_t> bunched(n, 3);
  for (std::uint64_t i = 0; i < n; i += 1000) bunched[i] = static_cast<std::uint32_t>(i);
  found(bunched, n / 1000);
  found(bunched, n / 1000 + 5);
  std::vector<std::uint32_t> ascending(n), descending(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    ascending[i] = 3 * i;
    descending[i] = ~i;
  }
  for (const std::uint64_t k : {std::uint64_t{7}, n / 100, n / 2}) {
    found(ascending, k);
    found(descending, k);
  }
}

TEST_CASE("top_k: views that begin at any element, indices of 32 and 64 bits") {
  for (const Device* d : {&single(), &passing(), &sampling()}) {
    for (std::uint64_t shift = 0; shift < 64; shift += subset() ? 13 : 5) {
      CAPTURE(shift);
      for (const std::uint64_t k : {30, 900}) {
        Options o{.device = d,
                  .desc = {.side = TopKSide::smallest, .k = k},
                  .misalign_in = shift % 4,
                  .misalign_out = shift / 4 % 4,
                  .misalign_indices = shift / 16};
        const auto pairs = random_keys<std::int64_t>(1500 + shift, 1000, 1);
        check_with_index<std::uint64_t>(pairs, o);
        o.desc.float_order = FloatOrder::by_value;
        const auto words = random_keys<float>(2500 + shift, 1000, 1);
        check_with_index<std::uint32_t>(words, o);
      }
    }
  }
}

TEST_CASE("top_k: without indices, without count_out") {
  for (const Device* d : {&single(), &passing(), &sampling()}) {
    const auto keys = random_values<std::uint32_t>(30'000, 1);
    for (const std::uint64_t k : {16, 10'000}) {
      check_against_oracle(keys,
                           {.device = d, .desc = {.k = k}, .indices = false, .count_out = false});
    }
  }
}

TEST_CASE("top_k: the count may be read on the GPU; what lies behind the results stays as it was") {
  for (const Device* d : {&single(), &passing(), &sampling()}) {
    // 2,400,000 keys are more than 4,096 tiles: the grid is computed on the GPU.
    for (const std::uint64_t max : {std::uint64_t{900}, std::uint64_t{2'400'000}}) {
      if (d == &single() && max > 1000) continue;
      const auto keys = random_values<std::uint32_t>(max, 3);
      const bool large = max > 1000;
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 7, max, max + 9}) {
        if (large && (n == max || (n > max && subset()))) continue;
        for (const std::uint64_t k : {std::uint64_t{5}, max / 20, max / 2}) {
          if (large && n > max && k > 5) continue;
          CAPTURE(max);
          CAPTURE(n);
          CAPTURE(k);
          const auto wide = device_count(n | (n > max ? std::uint64_t{1} << 40 : 0));
          check_against_oracle(keys,
                               {.device = d,
                                .desc = {.k = k, .count = {max, wide.address(), CountWidth::u64}},
                                .used = n});
        }
      }
      const auto narrow = device_count(static_cast<std::uint32_t>(max / 3));
      check_against_oracle(
          keys,
          {.device = d, .desc = {.k = 100, .count = {max, narrow.address()}}, .used = max / 3});
    }
  }
}

// Bins then have 64 bits. The view says that 2^32 elements are there, which no test on a CPU has,
// so it must be the last thing in memory. The workgroups that find nothing take lavapipe 12 s.
TEST_CASE("top_k: a count that may be 2^32, and is small") {
  if (!exhaustive()) return;
  constexpr std::uint64_t kUsed = 4'321, kWanted = 700;
  const auto in = random_keys<std::uint32_t>(5'000, 1'000, 1);
  const auto count = device_count(kUsed);
  const Device& d = device(with_passes(Tuning()));
  const TopKDesc desc{.k = kWanted,
                      .count = {std::uint64_t{1} << 32, count.address(), CountWidth::u64}};
  const std::uint64_t scratch_words = top_k_scratch(d, desc).bytes / 4;
  const std::uint64_t begin = 1024 + (scratch_words + 63) / 64 * 64;
  const auto memory = context().allocate<std::uint32_t>(begin + in.size());
  const BufferView room = memory.slice(1024, scratch_words).view();
  BufferView all = memory.slice(begin, in.size()).view();
  const auto source = context().upload(in);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_copy(cmd, d, {4, in.size()}, {source.view(), all, {}}));
  });
  all.bytes = desc.count.max * 4;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_top_k(cmd, d, desc,
                                {.in = all,
                                 .out = memory.slice(0, kWanted).view(),
                                 .scratch = {room.buffer, room.offset, room.address, room.bytes}}));
  });
  std::vector<std::uint32_t> expected;
  for (const auto i : oracle::top_k(std::span<const std::uint32_t>(in).first(kUsed), desc)) {
    expected.push_back(in[i]);
  }
  CHECK(context().download(memory, 0, kWanted) == expected);
}

TEST_CASE("top_k: sorted, the best first, equal keys by their indices") {
  // How results are found does not depend on how they are sorted, and a sort has many pipelines.
  const std::uint64_t n = 8000;
  const auto words = random_keys<std::uint32_t>(n, 300, 1);
  const auto pairs = random_keys<std::int64_t>(n, 300, 1);
  const auto floats = random_keys<float>(n, 300, 1);
  const auto count = device_count(std::uint32_t{3000});
  for (const std::uint64_t k : {1, 2, 50, 4000, 9000}) {
    CAPTURE(k);
    TopKDesc desc{.k = k, .sorted = true};
    check_with_index<std::uint32_t>(words, {.device = &sampling(), .desc = desc});
    desc.side = TopKSide::smallest;
    check_with_index<std::uint64_t>(pairs, {.device = &passing(), .desc = desc});
    desc.float_order = FloatOrder::by_value;
    desc.count = {n, count.address()};
    check_with_index<std::uint32_t>(floats, {.device = &single(), .desc = desc, .used = 3000});
    if (subset()) continue;
    check_with_index<std::uint32_t>(
        floats, {.device = &sampling(), .desc = desc, .used = 3000, .indices = false});
  }
}

TEST_CASE("top_k: a device whose look-backs fail all the time gives the same") {
  if (subset()) return;
  Tuning tuning = with_passes(kTinyTiles);
  tuning.spin_limit = 8;
  tuning.max_reduce_groups = 1;
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT | VKP_LOOKBACK_SHUFFLED, +VKP_LOOKBACK_FORCED}) {
    const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = 3});
    const auto keys = random_keys<std::uint32_t>(20'000, 100, 1);
    for (const std::uint64_t k : {16, 7000}) {
      // The states of the look-back lie behind one list of ties and one portion.
      const std::size_t states = (VKP_TOP_K_TIES_OFFSET + 16 + 16) / 4;
      const Options o{.device = &d, .desc = {.k = k}, .counter = states + VKP_LOOKBACK_FALLBACKS};
      CHECK(check_against_oracle(keys, o).counter > 0);
    }
  }
}

TEST_CASE("top_k: more than 65,535 tiles, and the default tiles") {
  if (subset()) return;
  const std::uint64_t n = 65'545 * 512 + 3;
  std::vector<std::uint32_t> keys(n);
  for (std::uint64_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(i * 0x9e3779b1u);
  const auto in = context().upload(keys);
  std::vector<std::uint32_t> expected;
  for (const std::uint32_t key : keys) {
    if (key >= 0x80000000u) expected.push_back(key);
  }
  const std::uint64_t k = expected.size();
  const auto out = context().allocate<std::uint32_t>(k);
  const TopKDesc desc{.k = k, .count = n};
  const DirtyScratch scratch(top_k_scratch(sampling(), desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_top_k(cmd, sampling(), desc,
                                {.in = in.view(), .out = out.view(), .scratch = scratch.get()}));
  });
  CHECK(difference(context().download(out), expected) == "");
  keys.resize(400'000);
  check_against_oracle(keys, {.device = &device(), .desc = {.k = 1000}});
}

TEST_CASE("top_k: nothing at all still makes a count") {
  const Device& d = device();
  for (const bool sorted : {false, true}) {
    check_against_oracle(std::vector<std::uint32_t>(),
                         {.device = &d, .desc = {.k = 5, .sorted = sorted}});
  }
  spy().clear();
  run([&](VkCommandBuffer cmd) { throw_if_error(record_top_k(cmd, d, {.k = 3, .count = 0}, {})); });
  run([&](VkCommandBuffer cmd) { throw_if_error(record_top_k(cmd, d, {.k = 0, .count = 3}, {})); });
  CHECK(spy().recorded.empty());
}

TEST_CASE("top_k: a step of a Recorder, with and without indices") {
  const auto in = context().upload(std::vector<double>{1, 9, 3, 9, 5});
  const auto out = context().allocate<double>(3);
  const auto again = context().allocate<double>(2);
  const auto indices = context().allocate<std::uint64_t>(2);
  context().run([&](Recorder& r) {
    top_k(r, {}, in, out);
    top_k(r, {.side = TopKSide::smallest}, in, again, indices);
  });
  CHECK(context().download(out) == std::vector<double>{9, 9, 5});
  CHECK(context().download(again) == std::vector<double>{1, 3});
  CHECK(context().download(indices) == std::vector<std::uint64_t>{0, 2});
}

TEST_CASE("top_k: recorded twice in one command buffer, and replayed 100 times, dirty scratch") {
  const Device& d = sampling();
  const auto keys = random_values<std::uint32_t>(20'000, 1);
  const auto in = context().allocate<std::uint32_t>(3'000'000);
  context().write(in, keys);
  const auto out = context().allocate<std::uint32_t>(400);
  const auto indices = context().allocate<std::uint32_t>(400);
  const auto count = device_count(20'000u);
  const TopKDesc desc{.k = 200, .sorted = true, .count = {3'000'000, count.address()}};
  const DirtyScratch scratch(top_k_scratch(d, desc));
  const auto order = oracle::top_k<std::uint32_t>(keys, desc);
  std::vector<std::uint32_t> expected, expected_indices;
  for (int i = 0; i < 2; ++i) {
    for (const std::uint64_t index : order) {
      expected.push_back(keys[index]);
      expected_indices.push_back(static_cast<std::uint32_t>(index));
    }
  }
  replay(
      d,
      [&] {
        context().write(out, std::vector<std::uint32_t>(400, 0));
        context().write(indices, std::vector<std::uint32_t>(400, 0));
      },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_top_k(cmd, d, desc,
                            {.in = in.view(),
                             .out = out.slice(200 * i, 200).view(),
                             .indices_out = indices.slice(200 * i, 200).view(),
                             .scratch = scratch.get()});
      },
      [&] {
        CHECK(difference(context().download(out), expected) == "");
        CHECK(difference(context().download(indices), expected_indices) == "");
      });
}

TEST_CASE("top_k: warm_up builds what any alignment, count and k needs") {
  DeviceInfo info = sampling().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<std::uint32_t>(9'000'000);
  const auto number = device_count(3u);
  const auto record = [&](VkCommandBuffer cmd, const Count& count, std::uint64_t k,
                          std::uint64_t shift) {
    const TopKDesc desc{.k = k, .sorted = true, .count = count};
    const DirtyScratch scratch(top_k_scratch(d, desc));
    return record_top_k(
        cmd, d, desc,
        {.in = memory.slice(shift, count.max).view(),
         .out = memory.slice(3'000'000 + shift, k).view(),
         .indices_out = shift ? memory.slice(6'000'000 + shift, k).view() : BufferView{},
         .scratch = scratch.get()});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, 100, 10, 0); });
  throw_if_error(warm_up(d, TopKDesc{.k = 5, .sorted = true, .count = 5}));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (const std::uint64_t n : {1, 100, 4000, 2'400'000}) {
        for (const std::uint64_t k : {std::uint64_t{1}, n / 2 + 1, n}) {
          for (const std::uint64_t shift : {0, 1}) {
            throw_if_error(record(cmd, n, k, shift));
            throw_if_error(record(cmd, {n, number.address()}, k, shift));
          }
        }
      }
    });
  });
}

TEST_CASE("top_k: the size query is monotone in the count and k, and 0 for an invalid descriptor") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles, kSmallTiles}) {
    const Device& d = device(tuning);
    for (const bool sorted : {false, true}) {
      for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{1000}, kMaxCount}) {
        for (const VkDeviceAddress address : {0, 8}) {
          check_monotone([&](std::uint64_t n) {
            return top_k_scratch(d, {.k = k, .sorted = sorted, .count = {n, address}}).bytes;
          });
        }
      }
      check_monotone([&](std::uint64_t k) {
        return top_k_scratch(d, {.k = k, .sorted = sorted, .count = 1 << 20}).bytes;
      });
    }
  }
  CHECK(top_k_scratch(device(), {.k = 5, .count = 100}).bytes == 0);
  CHECK(top_k_scratch(device(), {.k = 5, .count = kMaxCount + 1}).bytes == 0);
  CHECK(top_k_scratch(Device(), {.k = 5, .count = 1 << 20}).bytes == 0);
}

TEST_CASE("top_k: wrong input is refused by name before anything is recorded") {
  const Device& d = passing();
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const TopKDesc desc{.k = 100, .count = 1000};
  const ScratchNeed need = top_k_scratch(d, desc);
  const Scratch scratch = scratch_view(d, memory.handle(), 4 * 20'000, need.bytes);
  const TopKBuffers good{memory.slice(0, 1000).view(), memory.slice(2000, 100).view(),
                         memory.slice(4000, 100).view(), memory.slice(6000, 2).view(), scratch};
  const WrongInput wrong(d, &record_top_k, desc, good);
  wrong.anywhere();
  wrong.scratch("top_k_scratch()");
  wrong.desc({"side is 2"}, [](auto& x) { x.side = TopKSide(2); });
  wrong.desc({"float_order is 5"}, [](auto& x) { x.float_order = FloatOrder(5); });
  wrong.desc({"index_width is 3"}, [](auto& x) { x.index_width = IndexWidth(3); });
  wrong.desc({"count is 4294967297", "4294967296", "index_width"},
             [](auto& x) { x.count = (std::uint64_t{1} << 32) + 1; });
  wrong.desc({"indices_out.bytes is 400", "800"}, [](auto& x) { x.index_width = IndexWidth::u64; });
  wrong.desc({"out.bytes is 400", "404"}, [](auto& x) { x.k = 101; });
  wrong.desc({"in.bytes is 4000", "4004"}, [](auto& x) { x.count.max = 1001; });
  wrong.desc({"out [", "count [", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"out.bytes is 399", "400"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"indices_out.bytes is 399", "400"}, [](auto& x) { x.indices_out.bytes -= 1; });
  wrong.buffers({"indices_out.address", "multiple of 4"},
                [](auto& x) { x.indices_out.address += 1; });
  wrong.buffers({"count_out.bytes is 4", "8"}, [](auto& x) { x.count_out.bytes = 4; });
  wrong.buffers({"count_out.address", "multiple of 8"}, [](auto& x) { x.count_out.address += 4; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  wrong.buffers({"out [", "indices_out [", "overlap"},
                [](auto& x) { x.indices_out.address = x.out.address; });
  wrong.buffers({"in [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.in.address; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, TopKDesc{.side = TopKSide(3)}) == Status::invalid_argument);
}

TEST_CASE("top_k: no type needs a feature of the device") {
  for (const Spirv* spirv :
       {&spirv::top_k_alone_pair, &spirv::top_k_histogram_pair, &spirv::top_k_sample_pair,
        &spirv::top_k_select_pair_word32, &spirv::top_k_ties_pair}) {
    constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
    CHECK(SpirvReader(*spirv).capabilities.count(kFloat64) == 0);
    CHECK(SpirvReader(*spirv).capabilities.count(kInt64) == 0);
  }
}

TEST_CASE("top_k: smoke" * doctest::test_suite("smoke")) {
  check_against_oracle(random_keys<float>(1500, 100, 1), {.device = &device(), .desc = {.k = 77}});
}

TEST_CASE("top_k: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::top_k_alone_word, sizeof(abi::TopKPush)));
  CHECK(push_matches(vkprims::spirv::top_k_select_word_word32, sizeof(abi::TopKPush)));
}

}  // namespace vkprims::test

// Random numbers on the device against the host, to the bit. Whether they are random is tested in
// random_statistics_test.cpp.
#include "oracles/random.hpp"

#include "blocks/tile.hpp"
#include "random/random/random.abi.h"
#include "spirv/random_bernoulli_bits.hpp"
#include "spirv/random_bits.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/random/normal.h"

namespace vkprims::test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using enum RandomDistribution;

constexpr Rng kRng{.seed = 0x123456789abcdef0, .offset = 40, .stream = 7};

// One descriptor for each kernel and each of its constants; in a subset run, the first of each
// kernel.
std::vector<RandomDesc> descriptors() {
  std::vector<RandomDesc> all = {
      {.distribution = bits},
      {.distribution = uniform, .type = Type::i32, .lower = -7, .upper = 1000},
      {.distribution = uniform, .type = Type::f32, .lower = -3.7, .upper = 5.1},
      {.distribution = uniform, .type = Type::f64},
      {.distribution = normal, .type = Type::f32},
      {.distribution = bernoulli, .probability = 0.3},
      {.distribution = bernoulli, .probability = 0.3, .trials = TrialStorage::bytes},
  };
  if (device().state()->info.enabled.float64) {
    all.push_back({.distribution = uniform, .type = Type::f64, .lower = -3.7, .upper = 5.1});
  }
  if (!subset()) {
    all.push_back({.distribution = bits, .type = Type::u64});
    all.push_back({.distribution = bernoulli, .probability = 0.7, .draw_bits = 16});
    all.push_back({.distribution = bernoulli,
                   .probability = 0.7,
                   .trials = TrialStorage::bytes,
                   .draw_bits = 16});
  }
  for (RandomDesc& desc : all) desc.rng = kRng;
  return all;
}

// These descriptors share a kernel with others and differ in its parameters only.
std::vector<RandomDesc> parameters() {
  std::vector<RandomDesc> all = {
      {.distribution = uniform, .type = Type::u32},
      {.distribution = uniform, .type = Type::u32, .lower = 5, .upper = 6},
      {.distribution = uniform, .type = Type::u32, .lower = 3, .upper = 0x1p32},
      {.distribution = uniform, .type = Type::u32, .lower = 0, .upper = 0x1p32},
      {.distribution = uniform, .type = Type::i32, .lower = -0x1p31, .upper = 0x1p31},
      {.distribution = uniform, .type = Type::i32, .lower = -0x1p31, .upper = -0x1p31 + 3},
      {.distribution = uniform, .type = Type::f32},
      {.distribution = uniform, .type = Type::f32, .lower = 1e30, .upper = 3e38},
      {.distribution = uniform, .type = Type::f32, .lower = -0x1p24, .upper = 0x1p24},
      {.distribution = normal, .type = Type::f32, .mean = 1.1, .deviation = 0.3},
      {.distribution = normal, .type = Type::f32, .mean = -5, .deviation = 0},
  };
  for (const std::uint32_t draw_bits : {32, 16}) {
    for (const double p : {0.0, 0x1p-34, 0x1p-32, 0.5, 1 - 0x1p-32, 1.0}) {
      for (const TrialStorage trials : {TrialStorage::bits, TrialStorage::bytes}) {
        if (subset() && draw_bits == 16) continue;
        all.push_back({.distribution = bernoulli,
                       .probability = p,
                       .trials = trials,
                       .draw_bits = draw_bits});
      }
    }
  }
  for (RandomDesc& desc : all) desc.rng = kRng;
  return all;
}

std::uint64_t item_bytes(const RandomDesc& desc) {
  if (desc.distribution == bernoulli) return desc.trials == TrialStorage::bytes ? 1 : 4;
  return size_of(desc.type);
}

std::uint64_t all_bytes(const RandomDesc& desc, std::uint64_t n) {
  const bool packed = desc.distribution == bernoulli && desc.trials == TrialStorage::bits;
  return packed ? (n + 31) / 32 * 4 : n * item_bytes(desc);
}

std::string name_of(const RandomDesc& desc) {
  return std::string(vkprims::name_of(desc.distribution)) + " " + vkprims::name_of(desc.type) +
         (desc.trials == TrialStorage::bytes ? " bytes " : " ") + std::to_string(desc.draw_bits) +
         " " + std::to_string(desc.probability) + " " + std::to_string(desc.lower) + " " +
         std::to_string(desc.upper);
}

// Returns the content of an output for count.max elements that was filled with 0xCD before.
Bytes random_on_device(const Device& d, const RandomDesc& desc, std::uint64_t misalign = 0) {
  const Guarded out(all_bytes(desc, desc.count.max), misalign);
  const DirtyScratch scratch(random_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_random(cmd, d, desc, {out.view(), scratch.get()}));
  });
  return out.read<std::uint8_t>();
}

// Fails unless the device writes the first n elements that the oracle gives, and nothing else.
void check(const Device& d, RandomDesc desc, std::uint64_t n, std::uint64_t misalign = 0) {
  CAPTURE(name_of(desc));
  CAPTURE(n);
  CAPTURE(misalign);
  desc.count = n;
  CHECK(difference(random_on_device(d, desc, misalign), oracle::random(desc, n)) == "");
}

}  // namespace

TEST_CASE("random: every distribution around the edges of tiles, aligned and not") {
  for (const Tuning& tuning : tunings({kTinyTiles, Tuning{}})) {
    const Device& d = device(tuning);
    for (const RandomDesc& desc : descriptors()) {
      const bool packed = desc.distribution == bernoulli && desc.trials == TrialStorage::bits;
      const std::uint64_t size = item_bytes(desc), own = d.state()->tuning.stream_rows;
      const std::uint64_t tile =
          packed ? tile_bytes(d.state()->tuning) * 2 : tile_bytes(d.state()->tuning) / size;
      // A tile of an unaligned output has one row less per invocation.
      for (const std::uint64_t n : edge_counts(tile)) {
        for (const std::uint64_t misalign : {std::uint64_t{0}, size}) check(d, desc, n, misalign);
      }
      for (const std::uint64_t n : edge_counts(tile - (packed ? 0 : 16 * own / size))) {
        check(d, desc, n, size);
      }
    }
  }
}

TEST_CASE("random: every small count at every alignment") {
  const Device& d = device(kTinyTiles);
  for (const RandomDesc& desc : descriptors()) {
    const std::uint64_t size = item_bytes(desc);
    for (std::uint64_t n = 0; n <= 130; n += subset() ? 13 : 1) {
      for (std::uint64_t misalign = 0; misalign < 16; misalign += size) {
        if (n % 8 == 1 || misalign == n % (16 / size) * size) check(d, desc, n, misalign);
      }
    }
  }
}

TEST_CASE("random: powers of two and their neighbours") {
  for (const RandomDesc& desc : descriptors()) {
    for (std::uint64_t power = 1 << 8; power <= 1 << 16; power *= 2) {
      for (const std::uint64_t n : {power - 1, power, power + 1}) check(device(), desc, n, 0);
    }
  }
}

TEST_CASE("random: bounds, deviations and probabilities, the extreme ones too") {
  for (const RandomDesc& desc : parameters()) {
    check(device(), desc, 4001);
    const Bytes out = oracle::random(desc, 4001);
    if (desc.distribution != bernoulli) continue;
    const std::uint8_t first = out[0] & 1;
    if (desc.probability == 0 || (desc.probability == 1)) CHECK(first == desc.probability);
  }
}

TEST_CASE("random: block numbers that carry, streams, seeds and rounds") {
  std::vector<Rng> rngs;
  for (const std::uint64_t block : {(std::uint64_t{1} << 32) - 3, (std::uint64_t{1} << 62) - 5}) {
    rngs.push_back({.seed = 5, .offset = 4 * block});
  }
  rngs.push_back({.seed = ~std::uint64_t{0}, .stream = ~std::uint64_t{0}});
  rngs.push_back({.seed = 1u << 31, .stream = std::uint64_t{1} << 32});
  rngs.push_back({.seed = 3, .rounds = PhiloxRounds::seven});
  for (const Rng& rng : rngs) {
    for (RandomDesc desc : descriptors()) {
      if (rng.rounds == PhiloxRounds::seven && desc.distribution != bits) continue;
      desc.rng = rng;
      check(device(kTinyTiles), desc, 3000);
    }
  }
}

TEST_CASE("random: words that are hardly ever drawn") {
  // In these blocks, found by exhaustive search, a word is 0 or 2^32 - 1, or the high word of 64
  // bits is 0 or small.
  struct Block {
    std::uint64_t seed, number;
  };
  for (const Block& block :
       {Block{1, 1'778'212}, Block{1, 91'093'890}, Block{1, 1'152'543'134}, Block{1, 1'711'450'034},
        Block{2, 474'997'989}, Block{2, 841'871'577}}) {
    for (const std::vector<RandomDesc>& some : {descriptors(), parameters()}) {
      for (RandomDesc desc : some) {
        if (subset() && desc.distribution == bernoulli) continue;
        desc.rng = {.seed = block.seed, .offset = 4 * block.number};
        check(device(), desc, 8);
      }
    }
  }
  const RandomDesc rare{.distribution = bernoulli,
                        .rng = {.seed = 1, .offset = 4 * std::uint64_t{1'711'450'034}},
                        .probability = 0x1p-32};
  CHECK(random_value<bool>(rare, 0));
  CHECK_FALSE(random_value<bool>(rare, 1));
}

TEST_CASE("random: the host's values are the same") {
  std::vector<RandomDesc> all = descriptors();
  for (const RandomDesc& desc : parameters()) all.push_back(desc);
  for (RandomDesc desc : all) {
    CAPTURE(name_of(desc));
    desc.rng.offset = ~std::uint64_t{399};
    const Bytes want = oracle::random(desc, 1001);
    bool same = true;
    for (std::uint64_t i = 0; i < 1001; ++i) {
      if (desc.distribution == bernoulli) {
        const bool one = desc.trials == TrialStorage::bytes ? want[i] : want[i / 8] >> i % 8 & 1;
        same = same && random_value<bool>(desc, i) == one;
      } else {
        const std::uint64_t x = random_bits(desc, i);
        same = same && !std::memcmp(&x, &want[i * item_bytes(desc)], item_bytes(desc));
      }
    }
    CHECK(same);
  }
  const RandomDesc half{.distribution = uniform, .type = Type::f64};
  CHECK(random_value<double>(half, 3) == std::bit_cast<double>(random_bits(half, 3)));
  CHECK(random_probability({.distribution = bernoulli, .probability = 0.3, .draw_bits = 16}) ==
        19661 / 65536.0);
  CHECK(random_probability({.distribution = bernoulli, .probability = 0x1p-32}) == 0x1p-32);
}

TEST_CASE("random: normal numbers are within 0.7 units in the last place") {
  double worst = 0;
  float largest = 0;
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    long double want[2];
    oracle::normal_pair(a, b, want);
    const abi::VkpNormalPair pair = abi::vkp_normal_pair(a, b);
    for (int k = 0; k < 2; ++k) {
      const auto got = std::bit_cast<float>(k ? pair.second : pair.first);
      int exponent;
      std::frexp(want[k], &exponent);
      const long double units = std::ldexp(std::abs(got - want[k]), 24 - exponent);
      worst = std::max(worst, static_cast<double>(units));
      largest = std::max(largest, std::abs(got));
    }
  };
  std::mt19937 engine(1);
  for (int i = 0; i < (subset() ? 200'000 : 2'000'000); ++i) compare(engine(), engine());
  // The words are near all powers of two, from both ends, and near all multiples of an eighth of a
  // turn.
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    for (std::uint32_t i = 0; i < 200; ++i) {
      const std::uint32_t at = (1u << bit) + i - 100;
      for (const std::uint32_t x : {at, ~at, 3 * at, at + (bit << 29)}) {
        compare(x, engine());
        compare(engine(), x);
        compare(x, i << 29);
      }
    }
  }
  CHECK(worst > 0.5);
  CHECK(worst < 0.7);
  CHECK(largest > 6.6f);
  CHECK(largest < 6.67f);
}

TEST_CASE("random: the count may be read on the GPU; elements past it stay as they were") {
  const Device& d = device(kTinyTiles);
  for (RandomDesc desc : descriptors()) {
    // Past 4,096 workgroups the grid is computed on the device.
    const std::uint64_t few = 3000, many = 4200 * 128 * 16 / item_bytes(desc);
    for (const std::uint64_t max : {few, many}) {
      if (max == many && desc.distribution != bits) continue;
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{5}, max / 3, max + 7}) {
        for (const CountWidth width : {CountWidth::u32, CountWidth::u64}) {
          CAPTURE(name_of(desc));
          CAPTURE(max);
          CAPTURE(n);
          const auto count = device_count<std::uint64_t>(n);
          desc.count = {max, count.address(), width};
          Bytes want = oracle::random(desc, std::min(n, max));
          want.resize(all_bytes(desc, max), 0xcd);
          CHECK(difference(random_on_device(d, desc, item_bytes(desc)), want) == "");
        }
      }
    }
  }
}

TEST_CASE("random: a state in device memory gives the seed, and moves behind what was drawn") {
  const Device& d = device(kTinyTiles);
  for (RandomDesc desc : descriptors()) {
    CAPTURE(name_of(desc));
    const std::uint64_t seed = 11, start = (std::uint64_t{1} << 34) - 80;
    const Guarded state(std::vector<std::uint64_t>{seed, start}, 8);
    const std::uint64_t n = 333, max = 2000;
    const auto count = device_count<std::uint32_t>(n);
    desc.rng = {.seed = 99, .offset = 8, .stream = 3, .state = state.address()};
    desc.count = {max, count.address()};
    RandomDesc drawn = desc;
    drawn.count = n;
    std::uint64_t offset = start;
    for (int call = 0; call < 3; ++call) {
      desc.rng.advance = call < 2;
      Bytes want = oracle::random({.distribution = desc.distribution,
                                   .type = desc.type,
                                   .rng = {.seed = seed, .offset = offset + 8, .stream = 3},
                                   .lower = desc.lower,
                                   .upper = desc.upper,
                                   .probability = desc.probability,
                                   .trials = desc.trials,
                                   .draw_bits = desc.draw_bits},
                                  n);
      want.resize(all_bytes(desc, max), 0xcd);
      CHECK(difference(random_on_device(d, desc), want) == "");
      if (desc.rng.advance) offset += 8 + (random_draws(drawn) + 3) / 4 * 4;
      CHECK(state.read<std::uint64_t>() == std::vector<std::uint64_t>{seed, offset});
    }
  }
}

TEST_CASE("random: words that a call draws") {
  const auto draws = [](RandomDistribution distribution, Type type, std::uint64_t n,
                        std::uint32_t draw_bits = 32) {
    return random_draws(
        {.distribution = distribution, .type = type, .count = n, .draw_bits = draw_bits});
  };
  CHECK(draws(bits, Type::u32, 7) == 7);
  CHECK(draws(bits, Type::u64, 7) == 14);
  CHECK(draws(uniform, Type::f64, 7) == 14);
  CHECK(draws(uniform, Type::i32, 7) == 7);
  CHECK(draws(normal, Type::f32, 7) == 8);
  CHECK(draws(bernoulli, Type::f64, 7) == 7);
  CHECK(draws(bernoulli, Type::u32, 7, 16) == 4);
  CHECK(draws(bits, Type::u64, 0) == 0);
}

TEST_CASE("random: calls at one offset after the other are one call cut in two") {
  for (const RandomDesc& kind : descriptors()) {
    CAPTURE(name_of(kind));
    RandomDesc all = kind, first = kind, second = kind;
    first.count = 1024;
    second.count = 2000;
    all.count = 3024;
    RngState state(77, 5);
    first.rng = state.take(random_draws(first));
    second.rng = state.take(random_draws(second));
    all.rng = first.rng;
    Bytes both = random_on_device(device(), first);
    for (const std::uint8_t byte : random_on_device(device(), second)) both.push_back(byte);
    CHECK(difference(both, random_on_device(device(), all)) == "");
  }
}

TEST_CASE("random: recorded twice in one command buffer, and replayed with a state that moves") {
  const Device& d = device(kTinyTiles);
  const auto out = context().allocate<std::uint32_t>(2 * 1001);
  const auto state = context().upload(std::vector<std::uint64_t>{3, 0});
  std::uint64_t offset = 0;
  const RandomDesc desc{.count = 1001, .rng = {.state = state.address()}};
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(2 * 1001)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_random(cmd, d, desc, {out.slice(1001 * i, 1001).view(), {}});
      },
      [&] {
        const std::vector<std::uint32_t> got = context().download(out);
        for (const std::uint64_t i : {0, 1000, 1001, 2001}) {
          CHECK(got[i] == random_word({.seed = 3, .offset = offset + i / 1001 * 1004}, i % 1001));
        }
        offset += 2 * 1004;
      });
  CHECK(context().download(state) == std::vector<std::uint64_t>{3, offset});
}

TEST_CASE("random: more than 65,535 tiles") {
  const Device& d = device(kTinyTiles);
  RandomDesc desc{.rng = kRng};
  const std::uint64_t n = (65'535ull + 10) * tile_bytes(d.state()->tuning) / 4 + 3;
  desc.count = n;
  const auto out = context().allocate<std::uint32_t>(n + 1);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_random(cmd, d, desc, {out.slice(1, n).view(), {}}));
  });
  const std::vector<std::uint32_t> got = context().download(out, 1, n);
  oracle::WordStream words(kRng);
  std::uint64_t wrong = 0;
  for (const std::uint32_t word : got) wrong += word != words.next();
  CHECK(wrong == 0);
}

TEST_CASE("random: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const RandomBuffers good{memory.slice(0, 1000).view(), {}};
  const WrongInput wrong(d, &record_random, RandomDesc{.count = 1000}, good);
  wrong.anywhere();
  wrong.desc({"distribution is 9"}, [](auto& x) { x.distribution = RandomDistribution(9); });
  wrong.desc({"type is i32", "bits", "u32 and u64"}, [](auto& x) { x.type = Type::i32; });
  wrong.desc({"type is u64", "uniform", "f64"},
             [](auto& x) { x = {.distribution = uniform, .type = Type::u64, .count = 1}; });
  wrong.desc({"type is f64", "normal", "f32"},
             [](auto& x) { x = {.distribution = normal, .type = Type::f64, .count = 1}; });
  wrong.desc({"rng.rounds is 2"}, [](auto& x) { x.rng.rounds = PhiloxRounds(2); });
  wrong.desc({"rng.offset is 6", "multiple of 4"}, [](auto& x) { x.rng.offset = 6; });
  const auto refuse_bounds = [&](Type type, double lower, double upper, const char* why) {
    wrong.desc({"lower is", "upper is", why}, [&](auto& x) {
      x = {.distribution = uniform, .type = type, .count = 1, .lower = lower, .upper = upper};
    });
  };
  const double nan = std::nan(""), infinity = INFINITY;
  refuse_bounds(Type::u32, 0.5, 2, "integers in 0");
  refuse_bounds(Type::u32, -1, 2, "integers in 0");
  refuse_bounds(Type::u32, 0, 0x1p32 + 1, "2^32");
  refuse_bounds(Type::u32, nan, 1, "integers");
  refuse_bounds(Type::u32, 0, nan, "integers");
  refuse_bounds(Type::u32, 3, 3, "below upper");
  refuse_bounds(Type::i32, -0x1p31 - 1, 0, "-2^31");
  refuse_bounds(Type::i32, 0, 0x1p31 + 1, "2^31");
  refuse_bounds(Type::f32, 1, 1 + 0x1p-30, "as f32");
  refuse_bounds(Type::f32, nan, 1, "below");
  refuse_bounds(Type::f32, -infinity, 1, "finite");
  refuse_bounds(Type::f32, -3e38, 3e38, "finite");
  refuse_bounds(Type::f64, 2, 1, "below");
  refuse_bounds(Type::f64, -1e308, 1e308, "finite");
  refuse_bounds(Type::f64, 0, nan, "below");
  const auto refuse_normal = [&](double mean, double deviation) {
    wrong.desc({"mean is", "deviation is"}, [&](auto& x) {
      x = {.distribution = normal,
           .type = Type::f32,
           .count = 1,
           .mean = mean,
           .deviation = deviation};
    });
  };
  refuse_normal(nan, 1);
  refuse_normal(1e39, 1);
  refuse_normal(0, -1);
  refuse_normal(0, infinity);
  for (const double p : {-0.1, 1.1, nan}) {
    wrong.desc({"probability is"},
               [&](auto& x) { x = {.distribution = bernoulli, .count = 1, .probability = p}; });
  }
  wrong.desc({"draw_bits is 8", "32 or 16"},
             [](auto& x) { x = {.distribution = bernoulli, .count = 1, .draw_bits = 8}; });
  wrong.desc({"trials is 2"}, [](auto& x) {
    x = {.distribution = bernoulli, .count = 1, .trials = TrialStorage(2)};
  });
  wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 2; });
  wrong.both(
      {"out.address", "multiple of 8"},
      [](auto& x) { x = {.distribution = uniform, .type = Type::f64, .count = 1}; },
      [](auto& x) { x.out.address += 4; });
  wrong.desc({"out.bytes is 4000", "4004"}, [](auto& x) { x.count = 1001; });
  wrong.desc({"out.bytes is 4000", "4001"}, [](auto& x) {
    x = {.distribution = bernoulli, .count = 4001, .trials = TrialStorage::bytes};
  });
  wrong.desc({"out.bytes is 4000", "4004"},
             [](auto& x) { x = {.distribution = bernoulli, .count = 32001}; });
  wrong.desc({"rng.state", "multiple of 8"}, [](auto& x) { x.rng.state = 0x1004; });
  wrong.desc({"rng.state", "out", "overlap"},
             [&](auto& x) { x.rng.state = good.out.address / 8 * 8 + 16; });
  wrong.desc({"count", "out", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  const RandomDesc large{.count = {5'000'000, 0x1000}};
  const DirtyScratch scratch(random_scratch(d, large));
  const WrongInput needs(d, &record_random, large,
                         RandomBuffers{{0x80000000, 1u << 30}, scratch.get()});
  needs.scratch("random_scratch");
  CHECK(warm_up(Device(), RandomDesc{}) == Status::invalid_argument);
  CHECK(warm_up(d, RandomDesc{.type = Type::f32}) == Status::invalid_argument);
}

TEST_CASE("random: f64 with bounds needs float64, between 0 and 1 it does not") {
  DeviceInfo info = device().state()->info;
  info.enabled.float64 = info.enabled.int64 = info.enabled.int64_atomics = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  RandomDesc desc{.distribution = uniform, .type = Type::f64, .count = 10, .upper = 2};
  const Guarded out(80);
  expect_error(Status::unsupported, {"f64", "float64"}, [&](VkCommandBuffer cmd) {
    return record_random(cmd, narrow, desc, {out.view(), {}});
  });
  check(narrow, {.distribution = uniform, .type = Type::f64}, 1000);
  check(narrow, {.distribution = bits, .type = Type::u64}, 1000);
}

TEST_CASE("random: scratch is for large counts on the GPU only, and monotone") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (RandomDesc desc : descriptors()) {
      for (const VkDeviceAddress address : {0, 8}) {
        const VkDeviceSize last = check_monotone([&](std::uint64_t n) {
          desc.count = {n, address};
          return random_scratch(d, desc).bytes;
        });
        CHECK(last == (address ? 16 : 0));
      }
      desc.count = kMaxCount + 1;
      CHECK(random_scratch(d, desc).bytes == 0);
    }
  }
}

TEST_CASE("random: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  RandomDesc desc{.count = {3'000'000, 0x1000}, .rng = {.state = 0x2000}};
  const DirtyScratch scratch(random_scratch(cold, desc));
  RandomBuffers buffers{.out = {0x10000, 1u << 30}, .scratch = scratch.get()};
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record_random(cmd, cold, desc, buffers); });
  throw_if_error(warm_up(cold, desc));
  for (const std::uint64_t misalign : {0, 4}) {
    buffers.out.address = 0x10000 + misalign;
    context().record([&](Recorder& r) {
      r.commands(
          [&](VkCommandBuffer cmd) { throw_if_error(record_random(cmd, cold, desc, buffers)); });
    });
  }
}

TEST_CASE("random: the overload for Recorder takes types and counts from the output") {
  const auto floats = context().allocate<float>(100);
  const auto doubles = context().allocate<double>(100);
  const auto mask = context().allocate<std::uint32_t>(100);
  const auto flags = context().allocate<std::uint8_t>(100);
  context().run([&](Recorder& r) {
    random(r, {.distribution = normal}, floats);
    random(r, {.distribution = uniform}, doubles);
    random(r, {.distribution = bernoulli}, mask);
    random(r, {.distribution = bernoulli}, flags);
  });
  const RandomDesc n{.distribution = normal, .type = Type::f32};
  const RandomDesc u{.distribution = uniform, .type = Type::f64};
  const RandomDesc b{.distribution = bernoulli};
  CHECK(context().download(floats)[99] == random_value<float>(n, 99));
  CHECK(context().download(doubles)[99] == random_value<double>(u, 99));
  CHECK((context().download(mask)[99] >> 31) == random_value<std::uint32_t>(b, 3199));
  CHECK(context().download(flags)[99] == random_value<std::uint8_t>(b, 99));
}

TEST_CASE("random: smoke" * doctest::test_suite("smoke")) {
  check(device(), {.distribution = normal, .type = Type::f32}, 77, 4);
}

TEST_CASE("random: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::random_bits, sizeof(abi::RandomPush)));
  CHECK(push_matches(vkprims::spirv::random_bernoulli_bits, sizeof(abi::RandomPush)));
}

}  // namespace vkprims::test

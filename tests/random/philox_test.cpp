// Philox on the host and in kernels against the published known answers, and the state that hands
// out words.
#include "vkprims/philox.hpp"

#include <bit>

#include "elementwise/transform/transform.abi.h"
#include "runtime/push.hpp"
#include "spirv/philox.hpp"
#include "support/run_commands.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Answer {
  std::array<std::uint32_t, 4> counter;
  std::array<std::uint32_t, 2> key;
  std::uint32_t rounds, in_stream;
  std::array<std::uint32_t, 4> block;
};

// The first six answers are those of Random123; another program computed the others.
constexpr std::uint32_t kOnes = 0xffffffff;
constexpr Answer kAnswers[] = {
    {{0, 0, 0, 0}, {0, 0}, 10, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{kOnes, kOnes, kOnes, kOnes},
     {kOnes, kOnes},
     10,
     0,
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     10,
     0,
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    {{0, 0, 0, 0}, {0, 0}, 7, 0, {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}},
    {{kOnes, kOnes, kOnes, kOnes},
     {kOnes, kOnes},
     7,
     0,
     {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     7,
     0,
     {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}},
    {{0, 0, 0, 0}, {42, 0}, 10, 1, {0x9ceaf053, 0x77f5493b, 0x12bf50ad, 0x5742b3d7}},
    {{1, 0, 0, 0}, {42, 0}, 10, 1, {0xfcdb2127, 0x53ba6cfd, 0x838f5a6e, 0x744e06fb}},
    {{5, 1, 7, 0},
     {0x9abcdef0, 0x12345678},
     10,
     1,
     {0x1da7f4ab, 0xb1c6cdd0, 0x42cf3c32, 0x46a15800}},
};

}  // namespace

TEST_CASE("philox: known answers on the host") {
  for (const Answer& a : kAnswers) {
    const PhiloxRounds rounds = a.rounds == 7 ? PhiloxRounds::seven : PhiloxRounds::ten;
    CHECK(philox4x32(a.counter, a.key, rounds) == a.block);
  }
  // This is the 10,000th number of C++26's std::philox4x32 with its default seed.
  CHECK(random_word({.seed = 20111115}, 9999) == 1955073260);
  const Rng rng{
      .seed = 0x123456789abcdef0, .offset = 4 * ((std::uint64_t{1} << 32) + 3), .stream = 7};
  for (std::uint32_t w = 0; w < 4; ++w) CHECK(random_word(rng, 8 + w) == kAnswers[8].block[w]);
}

TEST_CASE("philox: known answers in a kernel, and counters that carry") {
  std::vector<std::uint32_t> in;
  std::vector<std::uint32_t> want;
  for (const Answer& a : kAnswers) {
    in.insert(in.end(), a.counter.begin(), a.counter.end());
    in.insert(in.end(), {a.key[0], a.key[1], a.rounds, a.in_stream});
    want.insert(want.end(), a.block.begin(), a.block.end());
  }
  const std::uint32_t n = std::size(kAnswers);
  const Guarded input(in), out(16 * n);
  const abi::TransformPush push{.a_base = push_u64(input.address()),
                                .b_base = {},
                                .out_base = push_u64(out.address()),
                                .count = push_count(n)};
  run_commands("philox", device(), [&](Commands& commands) {
    return commands.dispatch(spirv::philox, {.workgroup_size = 32}, push, Grid(1),
                             {reads(input.view()), writes(out.view())});
  });
  CHECK(difference(out.read<std::uint32_t>(), want) == "");
}

TEST_CASE("philox: a bit of the counter or the key changes half of a block") {
  double changed = 0;
  constexpr int kTrials = 10000;
  for (std::uint32_t i = 0; i < kTrials; ++i) {
    const std::array<std::uint32_t, 4> words = philox4x32({i, 1, 2, 3}, {4, 5});
    std::array<std::uint32_t, 4> counter = {words[0], words[1], words[2], i};
    std::array<std::uint32_t, 2> key = {words[3], ~i};
    const auto before = philox4x32(counter, key);
    const std::uint32_t bit = i % 192;
    (bit < 128 ? counter[bit / 32] : key[bit / 32 - 4]) ^= 1u << bit % 32;
    const auto after = philox4x32(counter, key);
    for (int w = 0; w < 4; ++w) changed += std::popcount(before[w] ^ after[w]);
  }
  CHECK(std::abs(changed / kTrials - 64) < 0.3);  // five standard deviations
}

TEST_CASE("philox: RngState hands out whole blocks") {
  RngState rng(7, 9);
  for (const auto& [words, offset] : {std::pair{1, 0}, {4, 4}, {0, 8}, {5, 8}, {3, 16}}) {
    const Rng taken = rng.take(words);
    CHECK(taken.offset == offset);
    CHECK(taken.seed == 7);
    CHECK(taken.stream == 9);
  }
  CHECK(rng.taken() == 20);
  RngState shared = RngState::on_device(48, 2);
  CHECK(shared.take(3).state == 48);
  CHECK_FALSE(shared.take(3).advance);
}

}  // namespace vkprims::test

// Benchmark rows of random.
#include "harness.hpp"
#include "oracles/random.hpp"
#include "vkprims/random.hpp"

namespace vkprims::bench {
namespace {

struct Random {
  Buffer<std::uint32_t> out;
  RandomDesc desc;
  RandomBuffers buffers;
};

// `offset` is the number of bytes between a multiple of 16 and the output.
Case make_random(Session& session, RandomDesc desc, std::uint64_t n, std::uint64_t offset) {
  const bool trials = desc.distribution == RandomDistribution::bernoulli;
  std::uint64_t bytes = n * size_of(desc.type);
  if (trials) bytes = desc.trials == TrialStorage::bytes ? n : (n + 31) / 32 * 4;
  auto c = std::make_shared<Random>();
  c->out = session.allocate<std::uint32_t>((bytes + offset + 3) / 4 + 1);
  desc.count = n;
  desc.rng = {.seed = 0x9e3779b97f4a7c15, .offset = 1 << 20};
  c->desc = desc;
  c->buffers = {.out = {c->out.address() + offset, bytes}};

  Case result;
  result.items = n;
  result.ideal_bytes = bytes;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_random(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [&session, c, n, bytes, offset] {
    const auto words = session.context().download(c->out);
    std::vector<std::uint8_t> got(bytes);
    if (bytes) std::memcpy(got.data(), reinterpret_cast<const char*>(words.data()) + offset, bytes);
    return first_difference(got, oracle::random(c->desc, n));
  };
  return result;
}

Row random_row(const char* name, const RandomDesc& desc, std::uint32_t bytes_per_item,
               bool main = false, std::uint64_t offset = 0) {
  return {.name = name,
          .bytes_per_item = bytes_per_item,
          .main = main,
          .make = [desc, offset](Session& s, std::uint64_t n) {
            return make_random(s, desc, n, offset);
          }};
}

using enum RandomDistribution;
constexpr RandomDesc kUniform{.distribution = uniform, .type = Type::f32};
constexpr RandomDesc kNormal{.distribution = normal, .type = Type::f32};

const Register kRows({
    random_row("random/bits_u32", {.distribution = bits}, 4, true),
    random_row("random/bits_u32_unaligned4", {.distribution = bits}, 4, false, 4),
    random_row("random/bits_u64", {.distribution = bits, .type = Type::u64}, 8),
    headline("random", random_row("random/uniform_f32", kUniform, 4, true)),
    random_row("random/uniform_f64", {.distribution = uniform, .type = Type::f64}, 8),
    random_row("random/uniform_i32",
               {.distribution = uniform, .type = Type::i32, .lower = -500, .upper = 500}, 4),
    random_row("random/normal_f32", kNormal, 4, true),
    random_row("random/normal_f32_unaligned4", kNormal, 4, false, 4),
    random_row("random/bernoulli_bits", {.distribution = bernoulli, .probability = 0.1}, 1, true),
    random_row("random/bernoulli_bits_16",
               {.distribution = bernoulli, .probability = 0.1, .draw_bits = 16}, 1),
    random_row("random/bernoulli_bytes",
               {.distribution = bernoulli, .probability = 0.1, .trials = TrialStorage::bytes}, 1),
    random_row("random/bernoulli_bytes_unaligned1",
               {.distribution = bernoulli, .probability = 0.1, .trials = TrialStorage::bytes}, 1,
               false, 1),
});

}  // namespace
}  // namespace vkprims::bench

// Oracle of vkprims/random.hpp: the words of a stream one after another, and plain arithmetic on
// them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vkprims/random.hpp"

namespace vkprims::oracle {

/// The words of Philox4x32 from rng.offset on.
class WordStream {
 public:
  explicit WordStream(const Rng& rng)
      : seed_(rng.seed),
        stream_(rng.stream),
        block_(rng.offset / 4),
        rounds_(rng.rounds == PhiloxRounds::seven ? 7 : 10) {}

  std::uint32_t next() {
    if (at_ == 4) {
      make_block();
      at_ = 0;
    }
    return words_[at_++];
  }
  std::uint64_t next64() {
    const std::uint64_t low = next();
    return low | std::uint64_t{next()} << 32;
  }

 private:
  void make_block() {
    std::uint64_t left = block_, right = stream_;  // two words each
    for (std::uint32_t r = 0; r < rounds_; ++r) {
      const std::uint32_t key0 = static_cast<std::uint32_t>(seed_) + r * 0x9e3779b9u;
      const std::uint32_t key1 = static_cast<std::uint32_t>(seed_ >> 32) + r * 0xbb67ae85u;
      const std::uint64_t a = (left & 0xffffffff) * 0xd2511f53;
      const std::uint64_t b = (right & 0xffffffff) * 0xcd9e8d57;
      left = ((b >> 32) ^ (left >> 32) ^ key0) | b << 32;
      right = ((a >> 32) ^ (right >> 32) ^ key1) | a << 32;
    }
    for (int w = 0; w < 4; ++w) {
      words_[w] = static_cast<std::uint32_t>((w < 2 ? left : right) >> 32 * (w % 2));
    }
    ++block_;
  }

  std::uint64_t seed_, stream_, block_;
  std::uint32_t rounds_;
  std::uint32_t words_[4] = {};
  int at_ = 4;
};

/// Returns lower + (upper - lower) * u with every operation rounded once: `volatile` keeps the
/// compiler from fusing the last two.
template <class T>
T between(double lower, double upper, T u) {
  const T low = static_cast<T>(lower), difference = static_cast<T>(upper) - low;
  volatile T scaled = difference * u;
  return low + scaled;
}

/// Makes two normal numbers of two words, nearly as exact arithmetic on real numbers would.
inline void normal_pair(std::uint32_t a, std::uint32_t b, long double z[2]) {
  const long double two_pi = 6.283185307179586476925286766559L;
  // 1 - u is exact.
  const long double one_minus_u = std::ldexp(static_cast<long double>(0u - (a | 1)), -32);
  const long double r = std::sqrt(-2 * std::log1p(-one_minus_u));
  // The angle is split into whole quarters of a turn and a rest of at most an eighth.
  const long double turn = std::ldexp(static_cast<long double>(b) + 0.5L, -32);
  const long double quarters = std::floor(4 * turn + 0.5L);
  const long double x = two_pi * (turn - quarters / 4);
  const long double c = std::cos(x), s = std::sin(x);
  const long double cosines[] = {c, -s, -c, s, c}, sines[] = {s, c, -s, -c, s};
  z[0] = r * cosines[static_cast<int>(quarters)];
  z[1] = r * sines[static_cast<int>(quarters)];
}

/// Returns the contents of the output, byte by byte. Normal numbers are those of the library's host
/// function, which a test compares with normal_pair().
inline std::vector<std::uint8_t> random(const RandomDesc& desc, std::uint64_t n) {
  WordStream words(desc.rng);
  std::vector<std::uint8_t> out;
  const auto put = [&](auto x) {
    const std::size_t at = out.size();
    out.resize(at + sizeof(x));
    std::memcpy(out.data() + at, &x, sizeof(x));
  };
  if (desc.distribution == RandomDistribution::bernoulli) {
    const double draws = desc.draw_bits == 16 ? 65536.0 : 4294967296.0;
    const double zeros = draws - std::round(desc.probability * draws);
    if (desc.trials == TrialStorage::bits) out.resize((n + 31) / 32 * 4);
    std::uint32_t word = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      double draw;
      if (desc.draw_bits == 16) {
        if (i % 2 == 0) word = words.next();
        draw = i % 2 ? word / 65536 : word % 65536;
      } else {
        draw = words.next();
      }
      const std::uint8_t one = draw >= zeros;
      if (desc.trials == TrialStorage::bytes) put(one);
      if (desc.trials == TrialStorage::bits) out[i / 8] |= static_cast<std::uint8_t>(one << i % 8);
    }
    return out;
  }
  for (std::uint64_t i = 0; i < n; ++i) {
    if (desc.distribution == RandomDistribution::normal) {
      put(random_value<float>(desc, i));
    } else if (desc.distribution == RandomDistribution::bits) {
      desc.type == Type::u64 ? put(words.next64()) : put(words.next());
    } else if (desc.type == Type::f32) {
      put(between(desc.lower, desc.upper, std::ldexp(static_cast<float>(words.next() / 256), -24)));
    } else if (desc.type == Type::f64) {
      put(between(desc.lower, desc.upper,
                  std::ldexp(static_cast<double>(words.next64() / 2048), -53)));
    } else {
      const auto range = static_cast<std::uint64_t>(desc.upper - desc.lower);
      put(static_cast<std::uint32_t>(static_cast<std::int64_t>(desc.lower) +
                                     static_cast<std::int64_t>(range * words.next() >> 32)));
    }
  }
  return out;
}

}  // namespace vkprims::oracle

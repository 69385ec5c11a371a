// Inputs of benchmark rows on the host: the same sequences that shaders/random.comp makes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace vkprims::bench {

/// What an input holds. The numbers are those of shaders/random.comp.
enum class Data : std::uint32_t {
  bits,         ///< random words
  small_f32,    ///< integers from -8 to 8: sums are exact in any order
  uniform_f32,  ///< multiples of 2^-23 in [-1, 1)
  small_f64,
  runs_16,   ///< keys, ascending, in runs of about 16
  runs_256,  ///< keys, ascending, in runs of about 256
  zeros,
  flag_bytes,     ///< bytes that are 0 or 1
  head_bits_16,   ///< bits, of which about one in 16 is set
  head_bytes_16,  ///< bytes, of which about one in 16 is 1
  offsets_16,     ///< ascending, about 16 apart
  entropy_54,     ///< keys of which 0.544 of each bit is information (the AND of three words)
  entropy_20,     ///< keys of which 0.201 of each bit is information (the AND of five words)
  ascending,
  descending,
  distinct_16,   ///< keys of which there are 16 different ones
  distinct_256,  ///< keys of which there are 256 different ones
  zipf,          ///< keys that are as frequent as Zipf's law says, up to 2^28 different ones
  below_1m,      ///< keys below 2^20
};

inline std::uint32_t mix_bits(std::uint64_t i) {
  auto x = static_cast<std::uint32_t>(i) * 0x9e3779b1u +
           static_cast<std::uint32_t>(i >> 32) * 0x85ebca6bu + 0x27d4eb2fu;
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  x = (x ^ (x >> 12)) * 0x297a2d39u;
  return x ^ (x >> 15);
}

inline std::int32_t small_number(std::uint64_t i) {
  return static_cast<std::int32_t>(mix_bits(i) % 17u) - 8;
}

/// A mask of 32 elements, of which about one in 16 begins a run.
inline std::uint32_t head_mask(std::uint64_t group) {
  const std::uint64_t seed = 4 * group + (std::uint64_t{1} << 40);
  return mix_bits(seed) & mix_bits(seed + 1) & mix_bits(seed + 2) & mix_bits(seed + 3);
}

/// Ascending keys, in which about one element in 16, and every 256th, begins a run.
inline std::uint32_t run_key(std::uint64_t i) {
  const std::uint64_t block = i / 256;
  std::uint32_t heads = 0;
  for (std::uint64_t group = 8 * block; 32 * group <= i; ++group) {
    std::uint32_t mask = head_mask(group);
    if (i / 32 == group) mask &= ~0u >> (31 - i % 32);
    heads += static_cast<std::uint32_t>(std::popcount(mask));
  }
  return static_cast<std::uint32_t>(256 * block) + heads;
}

inline std::uint32_t sparse_bits(std::uint64_t i, std::uint32_t number) {
  std::uint32_t x = ~0u;
  for (std::uint64_t k = 1; k <= number; ++k) x &= mix_bits(i + (k << 40));
  return x;
}

inline std::uint32_t zipf_key(std::uint64_t i) {
  const std::uint32_t exponent = (mix_bits(i) >> 8) % 28;
  const std::uint32_t one = 1u << exponent;
  return (one | (mix_bits(i + (std::uint64_t{1} << 40)) & (one - 1))) * 0x9e3779b1u;
}

inline std::uint32_t data_word(Data kind, std::uint64_t i) {
  switch (kind) {
    case Data::small_f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(small_number(i)));
    case Data::uniform_f32:
      return std::bit_cast<std::uint32_t>(
          static_cast<float>(static_cast<std::int32_t>(mix_bits(i)) >> 8) * (1.0f / 8388608.0f));
    case Data::small_f64: {
      const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(small_number(i / 2)));
      return static_cast<std::uint32_t>(i % 2 ? bits >> 32 : bits);
    }
    case Data::runs_16:
      return run_key(i);
    case Data::runs_256:
      return run_key(i / 16);
    case Data::zeros:
      return 0;
    case Data::flag_bytes:
      return mix_bits(i) & 0x01010101u;
    case Data::head_bits_16:
      return head_mask(i);
    case Data::head_bytes_16: {
      const std::uint32_t mask = head_mask(i / 8) >> (4 * (i % 8));
      return (mask & 1) | (mask & 2) << 7 | (mask & 4) << 14 | (mask & 8) << 21;
    }
    case Data::offsets_16:
      return static_cast<std::uint32_t>(16 * i) + mix_bits(i) % 16;
    case Data::entropy_54:
      return sparse_bits(i, 3);
    case Data::entropy_20:
      return sparse_bits(i, 5);
    case Data::ascending:
      return static_cast<std::uint32_t>(16 * i);
    case Data::descending:
      return ~static_cast<std::uint32_t>(16 * i);
    case Data::distinct_16:
      return (mix_bits(i) & 15) * 0x9e3779b1u;
    case Data::distinct_256:
      return (mix_bits(i) & 255) * 0x9e3779b1u;
    case Data::zipf:
      return zipf_key(i);
    case Data::below_1m:
      return mix_bits(i) >> 12;
    default:
      return mix_bits(i);
  }
}

/// The first n elements, as bytes of T.
template <class T>
std::vector<T> host_data(Data kind, std::uint64_t n) {
  std::vector<std::uint32_t> words((n * sizeof(T) + 3) / 4);
  for (std::uint64_t i = 0; i < words.size(); ++i) words[i] = data_word(kind, i);
  std::vector<T> values(n);
  if (n) std::memcpy(values.data(), words.data(), n * sizeof(T));
  return values;
}

/// Ascending keys over the range of 32 bits, with uneven steps.
template <class T>
std::vector<T> ascending(std::uint64_t n, std::uint64_t seed) {
  std::vector<T> keys(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t step = (std::uint64_t{1} << 32) / n;
    keys[i] = static_cast<T>(i * step + mix_bits(i + seed) % step);
  }
  return keys;
}

/// The input of T's rows: with it sums of floats are exact, whatever their order.
template <class T>
constexpr Data data_for() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? Data::small_f32 : Data::small_f64;
  return Data::bits;
}

}  // namespace vkprims::bench

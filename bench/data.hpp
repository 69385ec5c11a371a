// Inputs of benchmark rows on the host: the same sequences that shaders/random.comp makes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace vkprims::bench {

/// What an input holds. Values as in shaders/random.comp.
enum class Data : std::uint32_t {
  bits,         ///< random words
  small_f32,    ///< integers from -8 to 8: sums are exact in any order
  uniform_f32,  ///< multiples of 2^-23 in [-1, 1)
  small_f64,
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

/// What T's rows use: sums of floats are exact then, whatever their order.
template <class T>
constexpr Data data_for() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? Data::small_f32 : Data::small_f64;
  return Data::bits;
}

}  // namespace vkprims::bench

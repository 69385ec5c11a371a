// A permutation of 0 … n - 1 without any locality, as indices of benchmark rows.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace vkprims::bench {

/// Applies steps each of which is one-to-one on numbers of `bits` bits. A result past n - 1 is sent
/// through the steps again until it is not.
template <class Index = std::uint32_t>
std::vector<Index> random_permutation(std::uint64_t n) {
  const int bits = n > 1 ? std::bit_width(n - 1) : 1;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const auto mix = [&](std::uint64_t x) {
    for (const std::uint64_t factor : {0x9e3779b97f4a7c15u, 0xd1342543de82ef95u}) {
      x = (x * factor + 0x5851f42d4c957f2du) & mask;
      x ^= x >> (bits / 2 + 1);
    }
    return x;
  };
  std::vector<Index> values(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t x = mix(i);
    while (x >= n) x = mix(x);
    values[i] = static_cast<Index>(x);
  }
  return values;
}

}  // namespace vkprims::bench

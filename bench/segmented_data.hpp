// Offsets of segments and rows, as inputs of benchmark rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "data.hpp"

namespace vkprims::bench {

/// How n values are spread over segments.
enum class Spread {
  mean1,       ///< 0 to 2 each
  mean4,       ///< 0 to 8
  mean16,      ///< 1 to 31
  mean256,     ///< 1 to 511
  half_empty,  ///< 0 or, in every other one, 1 to 31
  one,         ///< all in one
  band16,      ///< 16 each
  power_law,   ///< min(1 / u, 10^6) for u uniform in (0, 1]
};

inline std::uint64_t segment_length(Spread spread, std::uint64_t s) {
  const std::uint32_t random = mix_bits(s);
  switch (spread) {
    case Spread::mean1:
      return random % 3;
    case Spread::mean4:
      return random % 9;
    case Spread::mean16:
      return 1 + random % 31;
    case Spread::mean256:
      return 1 + random % 511;
    case Spread::half_empty:
      return random & 1 ? 0 : 1 + (random >> 1) % 31;
    case Spread::band16:
      return 16;
    case Spread::power_law:
      return static_cast<std::uint64_t>(std::min(4294967296.0 / (random + 1.0), 1e6));
    default:
      return ~std::uint64_t{0};
  }
}

/// Offsets of as many segments as n values fill.
template <class Offset>
std::vector<Offset> offsets_of(Spread spread, std::uint64_t n) {
  std::vector<Offset> offsets{0};
  for (std::uint64_t at = 0; at < n;) {
    at = std::min(n, at + std::min(n, segment_length(spread, offsets.size())));
    offsets.push_back(static_cast<Offset>(at));
  }
  return offsets;
}

}  // namespace vkprims::bench

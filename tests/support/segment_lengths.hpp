// Offsets of segments for tests.
#pragma once

#include <random>

#include "support/support.hpp"

namespace vkprims::test {

/// How the values of a sequence are spread over segments.
enum class Spread { tens, ones, half_empty, one, empty_runs, power_law };
inline constexpr Spread kSpreads[] = {Spread::tens, Spread::ones,       Spread::half_empty,
                                      Spread::one,  Spread::empty_runs, Spread::power_law};

/// Returns lengths of segments that have n values altogether.
inline std::vector<std::uint64_t> lengths(Spread spread, std::uint64_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint64_t> result;
  const auto add = [&](std::uint64_t length) {
    result.push_back(std::min(length, n));
    n -= result.back();
  };
  switch (spread) {
    case Spread::tens:
      while (n) add(1 + random() % 31);
      break;
    case Spread::ones:
      while (n) add(1);
      break;
    case Spread::half_empty:
      while (n) add(random() % 2 ? 0 : random() % 9);
      result.insert(result.end(), 3, 0);
      break;
    case Spread::one:
      add(n);
      break;
    case Spread::empty_runs:
      while (n) {
        result.insert(result.end(), random() % 4 ? random() % 7 : random() % 1500, 0);
        add(1 + random() % (random() % 2 ? 5 : 2000));
      }
      break;
    case Spread::power_law:
      while (n) add(static_cast<std::uint64_t>(1.0 / (random() / 4294967296.0 + 1e-6)));
      break;
  }
  return result;
}

/// Returns offsets of segments of these lengths; the first segment begins at value `first`.
template <class Offset>
std::vector<Offset> offsets_of(const std::vector<std::uint64_t>& lengths, std::uint64_t first = 0) {
  std::vector<Offset> offsets{static_cast<Offset>(first)};
  for (const std::uint64_t length : lengths) {
    offsets.push_back(static_cast<Offset>(offsets.back() + length));
  }
  return offsets;
}

/// Returns offsets that no caller may pass, such as descending, random, far too large, and all the
/// same.
template <class Offset>
std::vector<std::vector<Offset>> hostile_offsets(std::uint64_t segments, std::uint64_t values) {
  std::mt19937_64 random(3);
  std::vector<std::vector<Offset>> all(6, std::vector<Offset>(segments + 1));
  for (std::uint64_t i = 0; i <= segments; ++i) {
    all[0][i] = static_cast<Offset>((segments - i) * values / segments);
    all[1][i] = static_cast<Offset>(random());
    all[2][i] = static_cast<Offset>(random() % (values + 1));
    all[3][i] = ~Offset{0};
    all[4][i] = static_cast<Offset>(i % 2 ? values : 0);
    all[5][i] = static_cast<Offset>(i == segments / 2 ? ~Offset{0} : i * values / segments);
  }
  return all;
}

}  // namespace vkprims::test

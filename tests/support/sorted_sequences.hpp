// Sorted sequences for the tests of search and merge.
#pragma once

#include <limits>

#include "oracles/search.hpp"
#include "support/support.hpp"

namespace vkprims::test {

/// Returns keys of `spread` different values. Floats include both zeros, infinities and NaN.
template <class T>
std::vector<T> random_keys(std::uint64_t n, std::uint64_t spread, std::uint32_t seed) {
  std::vector<T> keys(n);
  std::uint64_t i = 0;
  for (const std::uint64_t random : random_values<std::uint64_t>(n, seed)) {
    const std::uint64_t value = random / 16 % spread;
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T inf = std::numeric_limits<T>::infinity();
      constexpr T nan = std::numeric_limits<T>::quiet_NaN();
      constexpr T tiny = std::numeric_limits<T>::denorm_min();
      const T special[] = {T(0), T(-0.0), inf, -inf, tiny, -tiny, nan, -nan};
      keys[i++] = random % 16 < 8 ? special[random % 8] : T(value) - T(spread / 2) + T(0.5);
    } else {
      // Keys cover the whole range; some differ only in the high or only in the low word.
      const std::uint64_t of[] = {value, value << 32, ~value, value << 31};
      keys[i++] = static_cast<T>(of[random % 4]);
    }
  }
  return keys;
}

template <class T>
std::vector<T> sorted_keys(std::uint64_t n, std::uint64_t spread, std::uint32_t seed,
                           FloatOrder order = FloatOrder::by_value) {
  std::vector<T> keys = random_keys<T>(n, spread, seed);
  std::sort(keys.begin(), keys.end(), [order](T a, T b) { return oracle::key_less(a, b, order); });
  return keys;
}

}  // namespace vkprims::test

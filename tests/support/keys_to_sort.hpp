// Keys to sort: random, with few distinct values, in order, with the special values of floats.
#pragma once

#include <cmath>
#include <limits>

#include "support/support.hpp"

namespace vkprims::test {

/// Tiles have 512 keys, and nothing is sorted by a single workgroup.
inline constexpr Tuning kTinySorts{.workgroup_size = 128,
                                   .rows_per_tile = 1,
                                   .sort_workgroup_size = 128,
                                   .sort_pair_workgroup_size = 128,
                                   .sort_rows = 4,
                                   .small_sort_count = 1,
                                   .single_sort_count = 1};
inline constexpr std::uint64_t kTile = 512;

enum class Keys { random, few, one, ascending, descending, low_bits, special };

/// Returns n keys; `few` has 16 different ones, and the keys of `low_bits` differ only in their
/// lowest 16 bits.
template <class T>
std::vector<T> sort_keys(Keys kind, std::uint64_t n, std::uint32_t seed) {
  std::vector<T> keys(n);
  std::mt19937_64 engine(seed);
  const auto from_bits = [](std::uint64_t bits) {
    T key;
    std::memcpy(&key, &bits, sizeof(T));
    return key;
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t random = engine();
    switch (kind) {
      case Keys::random:
        keys[i] = from_bits(random);
        break;
      case Keys::few:
        keys[i] = from_bits((random % 16) * 0x9e3779b97f4a7c15u);
        break;
      case Keys::one:
        keys[i] = from_bits(0x1234567812345678u);
        break;
      case Keys::ascending:
        keys[i] = static_cast<T>(i / 3);
        break;
      case Keys::descending:
        keys[i] = static_cast<T>((n - i) / 2);
        break;
      case Keys::low_bits:
        keys[i] = from_bits(random & 0xffff);
        break;
      case Keys::special:
        if constexpr (std::is_floating_point_v<T>) {
          using L = std::numeric_limits<T>;
          const T values[] = {T(0),
                              -T(0),
                              L::infinity(),
                              -L::infinity(),
                              L::quiet_NaN(),
                              -L::quiet_NaN(),
                              L::denorm_min(),
                              -L::denorm_min(),
                              L::max(),
                              L::lowest(),
                              T(1),
                              T(-1)};
          keys[i] = values[random % 12];
        } else {
          const T values[] = {T(0), T(1), std::numeric_limits<T>::max(),
                              std::numeric_limits<T>::min()};
          keys[i] = values[random % 4];
        }
        break;
    }
  }
  return keys;
}

}  // namespace vkprims::test

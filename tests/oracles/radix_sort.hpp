// Oracle of vkprims/radix_sort.hpp and argsort.hpp: a stable sort by the bits of keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

#include "oracles/float_order.hpp"
#include "vkprims/types.hpp"

namespace vkprims::oracle {

/// Returns an unsigned number that orders as the key does, of which only bits begin … end - 1 are
/// left.
template <class T>
std::uint64_t sort_key(T key, FloatOrder order, std::uint32_t begin,
                       std::optional<std::uint32_t> end_bit) {
  constexpr std::uint32_t bits = 8 * sizeof(T);
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  std::uint64_t x = 0;
  if constexpr (std::is_floating_point_v<T>) {
    if (order == FloatOrder::by_value && key == T(0)) key = T(0);  // -0 becomes +0
  }
  std::memcpy(&x, &key, sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    x = x & sign ? ~x & all : x | sign;
    if (order == FloatOrder::by_value && std::isnan(key)) x = all;
  } else if constexpr (std::is_signed_v<T>) {
    x ^= sign;
  }
  const std::uint32_t end = end_bit.value_or(bits);
  if (begin >= end) return 0;
  const std::uint64_t mask = end - begin == 64 ? all : (std::uint64_t{1} << (end - begin)) - 1;
  return x >> begin & mask;
}

/// Returns the indices of the keys in the order of a stable sort.
template <class T>
std::vector<std::uint64_t> argsort(const std::vector<T>& keys, SortOrder order,
                                   FloatOrder float_order = FloatOrder::by_value,
                                   std::uint32_t begin = 0, std::optional<std::uint32_t> end = {}) {
  std::vector<std::uint64_t> ranks(keys.size());
  const std::uint32_t last = end.value_or(8 * sizeof(T));
  const std::uint64_t mask =
      begin >= last
          ? 0
          : (last - begin == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (last - begin)) - 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ranks[i] = sort_key(keys[i], float_order, begin, end);
    if (order == SortOrder::ascending) continue;
    ranks[i] = ~ranks[i] & mask;
    if constexpr (std::is_floating_point_v<T>) {
      if (float_order == FloatOrder::by_value && std::isnan(keys[i])) ranks[i] = mask;
    }
  }
  std::vector<std::uint64_t> indices(keys.size());
  std::iota(indices.begin(), indices.end(), std::uint64_t{0});
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return ranks[a] < ranks[b]; });
  return indices;
}

}  // namespace vkprims::oracle

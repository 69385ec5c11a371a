// How elements that are keys compare by vkprims::FloatOrder: this uses the comparisons of C++ and
// none of the library's. The oracles of all primitives that order or compare keys use it.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "oracles/operators.hpp"
#include "vkprims/types.hpp"

namespace vkprims::oracle {

/// Says whether a comes before b in ascending order.
template <class T>
bool key_less(T a, T b, FloatOrder order = FloatOrder::by_value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (order == FloatOrder::by_bits) return order_key(a) < order_key(b);
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  }
  return a < b;
}

/// Says whether a and b are the same key.
template <class T>
bool key_equal(T a, T b, FloatOrder order = FloatOrder::by_value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (order == FloatOrder::by_bits) return std::memcmp(&a, &b, sizeof(T)) == 0;
    if (std::isnan(a) && std::isnan(b)) return true;
  }
  return a == b;
}

/// Says whether a comes before b. By value, NaN comes last even if the order is descending.
template <class T>
bool sorts_before(T a, T b, SortOrder order, FloatOrder float_order) {
  if (order == SortOrder::ascending) return key_less(a, b, float_order);
  if constexpr (std::is_floating_point_v<T>) {
    const bool nan = std::isnan(a) || std::isnan(b);
    if (float_order == FloatOrder::by_value && nan) return !std::isnan(a);
  }
  return key_less(b, a, float_order);
}

}  // namespace vkprims::oracle

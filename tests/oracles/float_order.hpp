// How elements that are keys compare: vkprims::FloatOrder, with the comparisons of C++ and nothing of the library's.
// All oracles of primitives that order or compare keys use this one.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "oracles/operators.hpp"
#include "vkprims/types.hpp"

namespace vkprims::oracle {

/// Whether a comes before b, ascending.
template <class T>
bool key_less(T a, T b, FloatOrder order = FloatOrder::by_value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (order == FloatOrder::by_bits) return order_key(a) < order_key(b);
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  }
  return a < b;
}

/// Whether a and b are the same key.
template <class T>
bool key_equal(T a, T b, FloatOrder order = FloatOrder::by_value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (order == FloatOrder::by_bits) return std::memcmp(&a, &b, sizeof(T)) == 0;
    if (std::isnan(a) && std::isnan(b)) return true;
  }
  return a == b;
}

/// Whether a comes before b. By value NaN comes last, descending too.
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

// Oracle of vkprims/search.hpp.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "oracles/operators.hpp"
#include "vkprims/search.hpp"

namespace vkprims::oracle {

/// a before b in the order of sorted sequences: floats by their bits, so that NaN has a place, too.
template <class T>
bool key_less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return order_key(a) < order_key(b);
  } else {
    return a < b;
  }
}

template <class Index, class T>
std::vector<Index> search(std::span<const T> haystack, std::span<const T> needles,
                          SearchKind kind) {
  std::vector<Index> places;
  places.reserve(needles.size());
  for (const T& needle : needles) {
    const auto at = kind == SearchKind::lower_bound
                        ? std::lower_bound(haystack.begin(), haystack.end(), needle, key_less<T>)
                        : std::upper_bound(haystack.begin(), haystack.end(), needle, key_less<T>);
    places.push_back(static_cast<Index>(at - haystack.begin()));
  }
  return places;
}

}  // namespace vkprims::oracle

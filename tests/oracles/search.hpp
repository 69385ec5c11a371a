// Oracle of vkprims/search.hpp.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "oracles/float_order.hpp"
#include "vkprims/search.hpp"

namespace vkprims::oracle {

template <class Index, class T>
std::vector<Index> search(std::span<const T> haystack, std::span<const T> needles, SearchKind kind,
                          FloatOrder order = FloatOrder::by_value) {
  const auto less = [order](T a, T b) { return key_less(a, b, order); };
  std::vector<Index> places;
  places.reserve(needles.size());
  for (const T& needle : needles) {
    const auto at = kind == SearchKind::lower_bound
                        ? std::lower_bound(haystack.begin(), haystack.end(), needle, less)
                        : std::upper_bound(haystack.begin(), haystack.end(), needle, less);
    places.push_back(static_cast<Index>(at - haystack.begin()));
  }
  return places;
}

}  // namespace vkprims::oracle

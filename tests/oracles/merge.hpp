// Oracle of vkprims/merge.hpp.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "oracles/float_order.hpp"
#include "vkprims/merge.hpp"

namespace vkprims::oracle {

/// Merges keys with their values; std::merge is stable, as the library's merge is.
template <class T, class V>
std::vector<std::pair<T, V>> merge(std::span<const std::pair<T, V>> a,
                                   std::span<const std::pair<T, V>> b,
                                   FloatOrder order = FloatOrder::by_value) {
  std::vector<std::pair<T, V>> out;
  out.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out),
             [order](const auto& x, const auto& y) { return key_less(x.first, y.first, order); });
  return out;
}

}  // namespace vkprims::oracle

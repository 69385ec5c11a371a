// Oracle of vkprims/nearest_smaller.hpp: a stack of the keys that may be an answer for later ones.
#pragma once

#include <cstdint>
#include <vector>

#include "vkprims/nearest_smaller.hpp"

namespace vkprims::oracle {

/// Says whether `candidate` is an answer for `key`, by the operators of C++.
template <class T>
bool nearest_answers(NearestCompare compare, T candidate, T key) {
  switch (compare) {
    case NearestCompare::less:
      return candidate < key;
    case NearestCompare::less_equal:
      return candidate <= key;
    case NearestCompare::greater:
      return candidate > key;
    default:
      return candidate >= key;
  }
}

/// A result of ~0 means that there is none.
template <class Index, class T>
std::vector<Index> nearest_smaller(const std::vector<T>& keys, NearestDirection direction,
                                   NearestCompare compare) {
  const std::uint64_t n = keys.size();
  std::vector<Index> out(n, Index(~Index{0}));
  std::vector<std::uint64_t> stack;
  for (std::uint64_t step = 0; step < n; ++step) {
    const std::uint64_t i = direction == NearestDirection::previous ? step : n - 1 - step;
    if (keys[i] != keys[i]) continue;  // NaN
    while (!stack.empty() && !nearest_answers(compare, keys[stack.back()], keys[i]))
      stack.pop_back();
    if (!stack.empty()) out[i] = static_cast<Index>(stack.back());
    stack.push_back(i);
  }
  return out;
}

}  // namespace vkprims::oracle

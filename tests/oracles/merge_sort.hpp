// Oracle of vkprims/merge_sort.hpp: a stable sort by any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vkprims::oracle {

/// Returns the indices of the keys in the order of a stable sort.
template <class T, class Less>
std::vector<std::size_t> merge_sort(const std::vector<T>& keys, Less less) {
  std::vector<std::size_t> indices(keys.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::size_t a, std::size_t b) { return less(keys[a], keys[b]); });
  return indices;
}

}  // namespace vkprims::oracle

// Oracle of vkprims/segmented_sort.hpp: one segment after another, with std::stable_sort.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "oracles/radix_sort.hpp"
#include "vkprims/segmented_sort.hpp"

namespace vkprims::oracle {

/// Returns where the keys of the sorted segments come from, or ~0 where there is no segment.
template <class T, class Offset>
std::vector<std::uint64_t> segmented_sort(std::span<const T> keys, std::span<const Offset> offsets,
                                          SortOrder order, FloatOrder float_order) {
  std::vector<std::uint64_t> from(keys.size(), ~std::uint64_t{0});
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(offsets[s]);
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(offsets[s + 1]);
    std::iota(first, end, std::uint64_t{offsets[s]});
    std::stable_sort(first, end, [&](std::uint64_t a, std::uint64_t b) {
      return sorts_before(keys[a], keys[b], order, float_order);
    });
  }
  return from;
}

}  // namespace vkprims::oracle

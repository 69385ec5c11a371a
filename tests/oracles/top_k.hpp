// Oracle of vkprims/top_k.hpp.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "oracles/radix_sort.hpp"
#include "vkprims/top_k.hpp"

namespace vkprims::oracle {

/// Returns the indices of the results: everything is sorted stably, and the first k are kept.
template <class T>
std::vector<std::uint64_t> top_k(std::span<const T> in, const TopKDesc& desc) {
  const SortOrder order =
      desc.side == TopKSide::largest ? SortOrder::descending : SortOrder::ascending;
  std::vector<std::uint64_t> indices(in.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](std::uint64_t a, std::uint64_t b) {
    return sorts_before(in[a], in[b], order, desc.float_order);
  });
  indices.resize(std::min<std::uint64_t>(*desc.k, in.size()));
  if (!desc.sorted) std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace vkprims::oracle

// Oracle of vkprims/top_k.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "oracles/search.hpp"
#include "vkprims/top_k.hpp"

namespace vkprims::oracle {

/// Whether a is taken rather than b, whatever their indices.
template <class T>
bool taken_before(T a, T b, TopKSide side, FloatOrder order) {
  if constexpr (std::is_floating_point_v<T>) {
    if (order == FloatOrder::nan_last) {
      if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
      return side == TopKSide::largest ? b < a : a < b;
    }
  }
  return side == TopKSide::largest ? key_less(b, a) : key_less(a, b);
}

/// The indices of the results: a stable sort of everything, of which the first k are kept.
template <class T>
std::vector<std::uint64_t> top_k(std::span<const T> in, const TopKDesc& desc) {
  std::vector<std::uint64_t> indices(in.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](std::uint64_t a, std::uint64_t b) {
    return taken_before(in[a], in[b], desc.side, desc.float_order);
  });
  indices.resize(std::min<std::uint64_t>(desc.k, in.size()));
  if (!desc.sorted) std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace vkprims::oracle

// Oracle of vkprims/gather.hpp.
#pragma once

#include <cstddef>
#include <span>

#include "vkprims/types.hpp"

namespace vkprims::oracle {

/// Does out[i] = in[indices[i]] for all of `indices`. Returns how many of them are out of range.
template <class T, class Index>
std::size_t gather(std::span<const T> in, std::span<const Index> indices, OutOfRange policy,
                   const T& fill, std::span<T> out) {
  std::size_t outside = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < in.size()) {
      out[i] = in[indices[i]];
      continue;
    }
    ++outside;
    if (policy == OutOfRange::fill) out[i] = fill;
    if (policy == OutOfRange::clamp && !in.empty()) out[i] = in.back();
  }
  return outside;
}

}  // namespace vkprims::oracle

// Oracle of vkprims/adjacent_difference.hpp: one element after another.
#pragma once

#include <span>

#include "oracles/transform.hpp"
#include "vkprims/adjacent_difference.hpp"

namespace vkprims::oracle {

/// Does out[i] = op(in[i], its neighbour), or in[i] where there is no neighbour.
template <class T>
void adjacent_difference(std::span<const T> in, std::span<T> out, MapOp op, Neighbour neighbour) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool exists = neighbour == Neighbour::left ? i > 0 : i + 1 < in.size();
    out[i] = exists ? map(op, in[i], in[neighbour == Neighbour::left ? i - 1 : i + 1]) : in[i];
  }
}

}  // namespace vkprims::oracle

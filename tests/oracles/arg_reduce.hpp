// Oracle of vkprims/arg_reduce.hpp: it looks at every element, from the first to the last.
#pragma once

#include <span>

#include "oracles/operators.hpp"
#include "vkprims/arg_reduce.hpp"

namespace vkprims::oracle {

template <class T>
struct Extreme {
  std::uint64_t index = kNoIndex;
  T value;
};

/// Returns the first of the smallest (Op::min) or largest (Op::max) elements that are not NaN.
template <class T>
Extreme<T> arg_reduce(std::span<const T> in, Op op) {
  Extreme<T> best{kNoIndex, identity<T>(op)};
  for (std::uint64_t i = 0; i < in.size(); ++i) {
    if (is_nan(in[i])) continue;
    const bool better = op == Op::min ? less(in[i], best.value) : less(best.value, in[i]);
    if (better || best.index == kNoIndex) best = {i, in[i]};
  }
  return best;
}

}  // namespace vkprims::oracle

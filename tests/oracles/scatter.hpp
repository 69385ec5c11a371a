// Oracle of vkprims/scatter.hpp.
#pragma once

#include <cstddef>
#include <span>

#include "oracles/operators.hpp"
#include "vkprims/scatter.hpp"

namespace vkprims::oracle {

/// Does out[indices[i]] = combine(out[indices[i]], in[i]), one after another. Returns how many
/// indices are out of range.
template <class T, class Index, class Combine>
std::size_t scatter_by(std::span<const T> in, std::span<const Index> indices, OutOfRange policy,
                       std::span<T> out, Combine&& combine) {
  std::size_t outside = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::size_t at = indices[i];
    if (at >= out.size()) {
      ++outside;
      if (policy != OutOfRange::clamp || out.empty()) continue;
      at = out.size() - 1;
    }
    out[at] = combine(out[at], in[i]);
  }
  return outside;
}

template <class T, class Index>
std::size_t scatter(std::span<const T> in, std::span<const Index> indices, OutOfRange policy,
                    std::span<T> out) {
  return scatter_by(in, indices, policy, out, [](const T&, const T& x) { return x; });
}

template <class T, class Index>
std::size_t scatter(std::span<const T> in, std::span<const Index> indices, OutOfRange policy,
                    ScatterMode mode, std::span<T> out) {
  if (mode == ScatterMode::assign) return scatter(in, indices, policy, out);
  const Op op = mode == ScatterMode::add ? Op::add : mode == ScatterMode::min ? Op::min : Op::max;
  return scatter_by(in, indices, policy, out, [op](T old, T x) { return combine<T>(op, old, x); });
}

}  // namespace vkprims::oracle

// Oracle of vkprims/unique.hpp: one comparison after another.
#pragma once

#include "oracles/float_order.hpp"
#include "oracles/select.hpp"
#include "vkprims/unique.hpp"

namespace vkprims::oracle {

/// Says whether an element begins a run.
template <class T>
std::vector<bool> run_heads(const std::vector<T>& in, FloatOrder order = FloatOrder::by_value) {
  std::vector<bool> heads(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    heads[i] = i == 0 || !key_equal(in[i], in[i - 1], order);
  }
  return heads;
}

}  // namespace vkprims::oracle

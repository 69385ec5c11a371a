// Oracle of vkprims/unique.hpp: std::unique_copy.
#pragma once

#include "oracles/select.hpp"
#include "vkprims/unique.hpp"

namespace vkprims::oracle {

/// Whether an element begins a run.
template <class T>
std::vector<bool> run_heads(const std::vector<T>& in) {
  std::vector<bool> heads(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) heads[i] = i == 0 || !(in[i] == in[i - 1]);
  return heads;
}

}  // namespace vkprims::oracle

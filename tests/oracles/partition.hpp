// Oracle of vkprims/partition.hpp: std::stable_partition.
#pragma once

#include "oracles/select.hpp"
#include "vkprims/partition.hpp"

namespace vkprims::oracle {

template <class T>
struct Parts {
  std::vector<T> selected, rejected;
};

template <class T>
Parts<T> partition(const std::vector<T>& in, std::vector<bool> flags) {
  Parts<T> parts;
  parts.selected = select(in, flags).elements;
  flags.flip();
  parts.rejected = select(in, flags).elements;
  return parts;
}

}  // namespace vkprims::oracle

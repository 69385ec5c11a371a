// Oracle of vkprims/scan_by_key.hpp.
#pragma once

#include <cstring>

#include "oracles/segmented_scan.hpp"

namespace vkprims::oracle {

/// Where runs of equal keys begin; keys are equal if all their bits are.
template <class Key>
std::vector<bool> heads_of_keys(std::span<const Key> keys) {
  std::vector<bool> heads(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    heads[i] = i == 0 || std::memcmp(&keys[i], &keys[i - 1], sizeof(Key)) != 0;
  }
  return heads;
}

template <class Key, class T>
std::vector<T> scan_by_key(std::span<const Key> keys, std::span<const T> in, Op op, ScanKind kind,
                           std::optional<T> initial = {}) {
  return segmented_scan<T>(in, heads_of_keys(keys), op, kind, initial);
}

}  // namespace vkprims::oracle

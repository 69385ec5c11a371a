// Oracle of vkprims/scan_by_key.hpp.
#pragma once

#include "oracles/float_order.hpp"
#include "oracles/segmented_scan.hpp"

namespace vkprims::oracle {

/// Says where runs of equal keys begin.
template <class Key>
std::vector<bool> heads_of_keys(std::span<const Key> keys,
                                FloatOrder order = FloatOrder::by_value) {
  std::vector<bool> heads(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    heads[i] = i == 0 || !key_equal(keys[i], keys[i - 1], order);
  }
  return heads;
}

/// Returns the number of runs of equal keys.
template <class Key>
std::uint64_t run_count(std::span<const Key> keys, FloatOrder order = FloatOrder::by_value) {
  std::uint64_t runs = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || !key_equal(keys[i], keys[i - 1], order)) ++runs;
  }
  return runs;
}

template <class Key, class T>
std::vector<T> scan_by_key(std::span<const Key> keys, std::span<const T> in, Op op, ScanKind kind,
                           std::optional<T> initial = {}, FloatOrder order = FloatOrder::by_value) {
  return segmented_scan<T>(in, heads_of_keys(keys, order), op, kind, initial);
}

}  // namespace vkprims::oracle

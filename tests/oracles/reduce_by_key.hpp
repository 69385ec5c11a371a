// Oracle of vkprims/reduce_by_key.hpp: one fold after another.
#pragma once

#include <vector>

#include "oracles/float_order.hpp"
#include "vkprims/reduce_by_key.hpp"

namespace vkprims::oracle {

template <class Key, class T>
struct Runs {
  std::vector<Key> keys;
  std::vector<T> values;
  std::vector<T> magnitudes;  // sums of |values|, which bound the error of float sums
};

template <class Key, class T>
Runs<Key, T> reduce_by_key(const std::vector<Key>& keys, const std::vector<T>& values, Op op,
                           FloatOrder order = FloatOrder::by_value) {
  Runs<Key, T> runs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || !key_equal(keys[i], keys[i - 1], order)) {
      runs.keys.push_back(keys[i]);
      runs.values.push_back(identity<T>(op));
      runs.magnitudes.push_back(T{});
    }
    runs.values.back() = combine(op, runs.values.back(), values[i]);
    runs.magnitudes.back() += values[i] < T{} ? T{} - values[i] : values[i];
  }
  return runs;
}

}  // namespace vkprims::oracle

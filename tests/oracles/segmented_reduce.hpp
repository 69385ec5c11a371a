// Oracle of vkprims/segmented_reduce.hpp: one segment after another.
#pragma once

#include <algorithm>
#include <vector>

#include "oracles/reduce.hpp"

namespace vkprims::oracle {

/// Returns the values of segment s.
template <class T, class Offset>
std::span<const T> segment(std::span<const T> values, std::span<const Offset> offsets,
                           std::size_t s) {
  return values.subspan(offsets[s], offsets[s + 1] - offsets[s]);
}

/// Reduces each segment. Like reduce(), it is exact for integers and for min and max.
template <class T, class Offset>
std::vector<T> segmented_reduce(std::span<const T> values, std::span<const Offset> offsets, Op op,
                                std::optional<T> initial = {}) {
  std::vector<T> out(offsets.size() - 1);
  for (std::size_t s = 0; s < out.size(); ++s) {
    out[s] = reduce<T>(segment(values, offsets, s), op, initial);
  }
  return out;
}

/// Returns the bound of vkprims/segmented_reduce.hpp on the error of a sum; `exact` comes from
/// sum().
template <class T>
long double segment_sum_error_bound(const Sum& exact, std::uint64_t values) {
  const long double eps = std::numeric_limits<T>::epsilon() / 2.0L;
  const auto n = static_cast<long double>(values);
  return 1.1L * std::min(n, n / 4194304.0L + 1024.0L) * eps * exact.magnitudes;
}

}  // namespace vkprims::oracle

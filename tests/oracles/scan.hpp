// Oracle of vkprims/scan.hpp: the running fold from left to right.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "oracles/operators.hpp"
#include "vkprims/scan.hpp"

namespace vkprims::oracle {

/// Scans input elements of type In, widened to T.
///
/// The result is exact for integers and for min and max; for float add and mul see scan_sums().
template <class T, class In>
std::vector<T> scan(std::span<const In> in, Op op, ScanKind kind, std::optional<T> initial = {}) {
  std::vector<T> out(in.size());
  T total = identity<T>(op);
  if (initial) total = combine(op, total, *initial);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const T next = combine(op, total, static_cast<T>(in[i]));
    out[i] = kind == ScanKind::inclusive ? next : total;
    total = next;
  }
  return out;
}

/// Prefix sums with far more digits than T has, and the sums of magnitudes, which bound the error.
template <class T>
struct PrefixSums {
  std::vector<long double> values, magnitudes;
};

template <class T>
PrefixSums<T> scan_sums(std::span<const T> in, ScanKind kind, T initial = 0) {
  PrefixSums<T> sums;
  long double value = initial, magnitude = initial < 0 ? -initial : initial;
  for (const T x : in) {
    const long double next = value + x, next_magnitude = magnitude + (x < 0 ? -x : x);
    sums.values.push_back(kind == ScanKind::inclusive ? next : value);
    sums.magnitudes.push_back(kind == ScanKind::inclusive ? next_magnitude : magnitude);
    value = next;
    magnitude = next_magnitude;
  }
  return sums;
}

/// Returns the bound of vkprims/scan.hpp on the error of element i of a sum; eps is half an ulp of
/// 1.
template <class T>
long double scan_error_bound(const PrefixSums<T>& sums, std::size_t i) {
  const long double eps = std::numeric_limits<T>::epsilon() / 2.0L;
  const long double chain = static_cast<long double>(i) / 512.0L + 1024.0L;
  return 1.1L * chain * eps * sums.magnitudes[i];
}

}  // namespace vkprims::oracle

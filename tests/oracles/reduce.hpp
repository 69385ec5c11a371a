// Oracle of vkprims/reduce.hpp: the fold from left to right.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "oracles/operators.hpp"

namespace vkprims::oracle {

/// Returns initial (+) in[0] (+) in[1] (+) …
///
/// The result is exact for integers and for min and max. For float add and mul it has rounding
/// errors of its own; compare with sum() and sum_error_bound() instead.
template <class T>
T reduce(std::span<const T> in, Op op, std::optional<T> initial = {}) {
  T total = identity<T>(op);  // so that NaN alone, also as the initial value, gives the identity
  if (initial) total = combine(op, total, *initial);
  for (const T& x : in) total = combine(op, total, x);
  return total;
}

/// The sum with far more digits than T has (compensated, in long double), and the sum of
/// magnitudes.
struct Sum {
  long double value = 0;
  long double magnitudes = 0;
};

template <class T>
Sum sum(std::span<const T> in, std::optional<T> initial = {}) {
  Sum s;
  long double lost =
      0;  // low digits that the additions so far dropped (Neumaier's variant of Kahan)
  const auto add = [&](long double x) {
    const long double next = s.value + x;
    lost += std::fabs(s.value) >= std::fabs(x) ? (s.value - next) + x : (x - next) + s.value;
    s.value = next;
    s.magnitudes += std::fabs(x);
  };
  if (initial) add(static_cast<long double>(*initial));
  for (const T& x : in) add(static_cast<long double>(x));
  s.value += lost;
  return s;
}

/// Returns the bound of vkprims/reduce.hpp on |result - exact sum|: 1.1 d eps sum|x|, where d =
/// count / (groups * workgroup_size) + 20 is the longest chain of additions. One workgroup of 128
/// is the safe assumption if the shape of the grid is not known. eps is half an ulp of 1.
template <class T>
long double sum_error_bound(const Sum& exact, std::uint64_t count, std::uint64_t groups,
                            std::uint64_t workgroup_size) {
  const long double eps = std::numeric_limits<T>::epsilon() / 2.0L;
  const long double chain =
      static_cast<long double>(count) / static_cast<long double>(groups * workgroup_size) + 20.0L;
  return 1.1L * chain * eps * exact.magnitudes;
}

}  // namespace vkprims::oracle

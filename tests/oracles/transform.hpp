// Oracle of vkprims/transform.hpp: one element after another, by the host's own arithmetic.
#pragma once

#include <limits>
#include <span>

#include "oracles/operators.hpp"
#include "vkprims/transform.hpp"

namespace vkprims::oracle {

/// Returns a op b, for functions whose result has the type of the operands. `volatile` keeps the
/// compiler from fusing a product and a sum.
template <class T>
T map(MapOp op, T a, T b = T(0), T alpha = T(1)) {
  if (op <= MapOp::bit_xor) return combine(static_cast<Op>(op), a, b);
  if constexpr (std::is_floating_point_v<T>) {
    if (op == MapOp::sub) return a - b;
    if (op == MapOp::div) return a / b;
    if (op == MapOp::neg) return -a;
    if (op == MapOp::abs) return std::fabs(a);
    volatile T product = alpha * a;
    return product + b;
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    constexpr Unsigned kWidth = 8 * sizeof(T);
    const auto x = static_cast<Unsigned>(a), y = static_cast<Unsigned>(b);
    const bool negative = a < T(0);
    switch (op) {
      case MapOp::sub:
        return static_cast<T>(x - y);
      case MapOp::div:
        if (b == T(0)) return static_cast<T>(~Unsigned(0));
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0 - x);
        return static_cast<T>(a / b);
      case MapOp::shift_left:
        return static_cast<T>(x << (y % kWidth));
      case MapOp::shift_right:
        return static_cast<T>(a >> (y % kWidth));
      case MapOp::neg:
        return static_cast<T>(0 - x);
      case MapOp::abs:
        return static_cast<T>(negative ? 0 - x : x);
      case MapOp::bit_not:
        return static_cast<T>(~x);
      default:
        return static_cast<T>(static_cast<Unsigned>(alpha) * x + y);
    }
  }
}

template <class T>
std::uint32_t compare(MapOp op, T a, T b) {
  switch (op) {
    case MapOp::less:
      return a < b;
    case MapOp::less_equal:
      return a <= b;
    case MapOp::equal:
      return a == b;
    case MapOp::not_equal:
      return a != b;
    case MapOp::greater:
      return a > b;
    default:
      return a >= b;
  }
}

/// Converts a to To. Between integers the result is modulo 2^width. A float becomes an integer by
/// truncation, or the nearest one that there is if it is out of range, and NaN becomes 0. Results
/// that are floats are rounded to nearest even.
template <class To, class From>
To cast(From a) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // The bounds are powers of two, their negatives, or 0, so they are exact in From.
    const From end = std::ldexp(From(1), std::numeric_limits<To>::digits);
    if (std::isnan(a)) return 0;
    if (a >= end) return std::numeric_limits<To>::max();
    if (a <= (std::is_signed_v<To> ? -end : From(0))) return std::numeric_limits<To>::min();
  }
  return static_cast<To>(a);
}

/// Returns the element of the result for operands `a` and `b`, which have desc.type; it has
/// result_type(desc).
template <class Out, class T>
Out transform_element(const TransformDesc& desc, T a, T b, T alpha) {
  if (desc.op == MapOp::cast) return cast<Out>(a);
  if (desc.op >= MapOp::less && desc.op <= MapOp::greater_equal) {
    return static_cast<Out>(compare(desc.op, a, b));
  }
  return static_cast<Out>(map(desc.op, a, b, alpha));
}

/// Does out[i] = f(a[i], b[i]); b may be one element for all, or absent.
template <class Out, class T>
void transform(const TransformDesc& desc, std::span<const T> a, std::span<const T> b,
               std::span<Out> out, T alpha = T(1)) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T y = b.empty() ? T(0) : b[b.size() == 1 ? 0 : i];
    out[i] = transform_element<Out>(desc, a[i], y, alpha);
  }
}

}  // namespace vkprims::oracle

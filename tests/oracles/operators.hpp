// Oracle: the built-in operators on the host, as vkprims/types.hpp (enum class Op) defines them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "vkprims/types.hpp"

namespace vkprims::oracle {

/// Returns the bits of a float as an integer that orders like the number, with -0 below +0.
template <class T>
auto order_key(T x) {
  static_assert(std::is_floating_point_v<T>);
  using Int = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  const Int bits = std::bit_cast<Int>(x);
  return bits < 0 ? static_cast<Int>(bits ^ std::numeric_limits<Int>::max()) : bits;
}

/// Says whether a < b, with floats in the order -inf … -0, +0 … +inf. It is not for NaN.
template <class T>
bool less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return order_key(a) < order_key(b);
  } else {
    return a < b;
  }
}

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(x);
  return false;
}

template <class T>
T identity(Op op) {
  using Limits = std::numeric_limits<T>;
  switch (op) {
    case Op::mul:
      return T(1);
    case Op::min:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case Op::max:
      return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case Op::bit_and:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(~T(0));
      break;
    default:
      break;
  }
  return T(0);
}

/// Returns left (+) right. Integers wrap; float min and max skip NaN.
template <class T>
T combine(Op op, T left, T right) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;  // signed overflow would be undefined
    const auto a = static_cast<Unsigned>(left);
    const auto b = static_cast<Unsigned>(right);
    switch (op) {
      case Op::add:
        return static_cast<T>(a + b);
      case Op::mul:
        return static_cast<T>(a * b);
      case Op::bit_and:
        return static_cast<T>(a & b);
      case Op::bit_or:
        return static_cast<T>(a | b);
      case Op::bit_xor:
        return static_cast<T>(a ^ b);
      default:
        break;
    }
  } else {
    if (op == Op::add) return left + right;
    if (op == Op::mul) return left * right;
  }
  if (is_nan(right)) return left;
  if (is_nan(left)) return right;
  if (op == Op::min) return less(right, left) ? right : left;
  return less(left, right) ? right : left;
}

}  // namespace vkprims::oracle

// The built-in functions of two elements: vkp_binary(a, b), with the values of vkprims::MapOp, the
// first of which are those of vkprims::Op.
//
// What SPIR-V leaves undefined is defined here: an integer divided by 0 has all bits set, the
// lowest integer divided by -1 wraps to itself, and shifts are by the amount modulo the width.
// Divisors that would be undefined are replaced before the division.
#ifndef VKPRIMS_MAP_OPS_GLSL
#define VKPRIMS_MAP_OPS_GLSL

#include "vkprims/ops.glsl"

const uint VKP_MAP_SUB = 7;
const uint VKP_MAP_DIV = 8;
const uint VKP_MAP_SHIFT_LEFT = 9;
const uint VKP_MAP_SHIFT_RIGHT = 10;

VKP_T vkp_divide(VKP_T a, VKP_T b) {
#if !VKP_INTEGER
  precise const VKP_T quotient = a / b;
  return quotient;
#elif defined(VKP_T_i32) || defined(VKP_T_i64)
  const bool replaced = b == VKP_T(0) || b == VKP_T(-1);
  const VKP_T quotient = a / (replaced ? VKP_T(1) : b);
  if (b == VKP_T(0)) return VKP_T(-1);
  return replaced ? VKP_T(0) - a : quotient;
#else
  const VKP_T quotient = a / (b == VKP_T(0) ? VKP_T(1) : b);
  return b == VKP_T(0) ? ~VKP_T(0) : quotient;
#endif
}

VKP_T vkp_binary(VKP_T a, VKP_T b) {
  switch (vkp_op) {
    case VKP_MAP_SUB: {
      precise const VKP_T difference = a - b;
      return difference;
    }
    case VKP_MAP_DIV: return vkp_divide(a, b);
#if VKP_INTEGER
    case VKP_MAP_SHIFT_LEFT: return a << (uint(b) & (32u * VKP_WORDS - 1u));
    case VKP_MAP_SHIFT_RIGHT: return a >> (uint(b) & (32u * VKP_WORDS - 1u));
#endif
    default: return vkp_combine(a, b);
  }
}

#endif

// The built-in operators as a monoid over VKP_T: vkp_identity() and vkp_combine(left, right).
//
// Which one is a specialization constant with the values of vkprims::Op, so the switch costs nothing.
// Float min and max compare the bit patterns as ordered integers: GLSL's min is undefined for NaN and
// free to flush denormals, this is the same on every device. -0 orders below +0; NaN is skipped.
#ifndef VKPRIMS_OPS_GLSL
#define VKPRIMS_OPS_GLSL

#include "types.glsl"

layout(constant_id = VKP_SPEC_OP) const uint vkp_op = 0;

const uint VKP_OP_ADD = 0;
const uint VKP_OP_MUL = 1;
const uint VKP_OP_MIN = 2;
const uint VKP_OP_MAX = 3;
const uint VKP_OP_BIT_AND = 4;
const uint VKP_OP_BIT_OR = 5;
const uint VKP_OP_BIT_XOR = 6;

#if VKP_INTEGER
bool vkp_less(VKP_T a, VKP_T b) { return a < b; }
bool vkp_is_nan(VKP_T a) { return false; }
#elif VKP_WORDS == 1
// Bit patterns order like the numbers, but the other way round where both are negative. (Of two that are
// the same and negative this says "less", which makes no difference to min and max.)
bool vkp_less(float a, float b) {
  const int x = floatBitsToInt(a);
  const int y = floatBitsToInt(b);
  return (x < y) != ((x & y) < 0);
}
bool vkp_is_nan(float a) { return (floatBitsToUint(a) & 0x7fffffffu) > 0x7f800000u; }
#else
bool vkp_less(double a, double b) {
  const uvec2 x = unpackDouble2x32(a);
  const uvec2 y = unpackDouble2x32(b);
  const bool below = int(x.y) < int(y.y) || (x.y == y.y && x.x < y.x);
  return below != (int(x.y & y.y) < 0);
}
bool vkp_is_nan(double a) {
  const uvec2 x = unpackDouble2x32(a);
  const uint high = x.y & 0x7fffffffu;
  return high > 0x7ff00000u || (high == 0x7ff00000u && x.x != 0u);
}
#endif

// The largest and the smallest value of the type.
#if defined(VKP_T_u32)
const uint VKP_HIGHEST = 0xffffffffu;
const uint VKP_LOWEST = 0u;
#elif defined(VKP_T_i32)
const int VKP_HIGHEST = 0x7fffffff;
const int VKP_LOWEST = int(0x80000000u);
#elif defined(VKP_T_u64)
const uint64_t VKP_HIGHEST = 0xffffffffffffffffUL;
const uint64_t VKP_LOWEST = 0UL;
#elif defined(VKP_T_i64)
const int64_t VKP_HIGHEST = 0x7fffffffffffffffL;
const int64_t VKP_LOWEST = -0x7fffffffffffffffL - 1L;
#elif defined(VKP_T_f32)
#define VKP_HIGHEST uintBitsToFloat(0x7f800000u)
#define VKP_LOWEST uintBitsToFloat(0xff800000u)
#else
#define VKP_HIGHEST packDouble2x32(uvec2(0u, 0x7ff00000u))
#define VKP_LOWEST packDouble2x32(uvec2(0u, 0xfff00000u))
#endif

VKP_T vkp_identity() {
  switch (vkp_op) {
    case VKP_OP_MUL: return VKP_T(1);
    case VKP_OP_MIN: return VKP_HIGHEST;
    case VKP_OP_MAX: return VKP_LOWEST;
#if VKP_INTEGER
    case VKP_OP_BIT_AND: return ~VKP_T(0);
#endif
    default: return VKP_T(0);
  }
}

VKP_T vkp_combine(VKP_T left, VKP_T right) {
  switch (vkp_op) {
    case VKP_OP_MUL: {
      precise const VKP_T product = left * right;
      return product;
    }
    case VKP_OP_MIN:
      return !vkp_is_nan(right) && (vkp_is_nan(left) || vkp_less(right, left)) ? right : left;
    case VKP_OP_MAX:
      return !vkp_is_nan(right) && (vkp_is_nan(left) || vkp_less(left, right)) ? right : left;
#if VKP_INTEGER
    case VKP_OP_BIT_AND: return left & right;
    case VKP_OP_BIT_OR: return left | right;
    case VKP_OP_BIT_XOR: return left ^ right;
#endif
    default: {
      precise const VKP_T sum = left + right;
      return sum;
    }
  }
}

#endif

// The built-in operators as a monoid over VKP_T: vkp_identity() and vkp_combine(left, right).
//
// A specialization constant with the values of vkprims::Op chooses the operator, so drivers keep
// nothing of the others. Minimum and maximum of floats compare the bit patterns as ordered
// integers: GLSL's min is undefined for NaN and free to flush denormals, whereas this is the same
// on every device. -0 orders below +0; NaN is skipped.
#ifndef VKPRIMS_OPS_GLSL
#define VKPRIMS_OPS_GLSL

#include "vkprims/types.glsl"

#ifndef VKP_OWN_MONOID
layout(constant_id = VKP_SPEC_OP) const uint vkp_spec_op = 0;
const uint vkp_op = vkp_spec_op & ~VKP_OP_SIGNED;

const uint VKP_OP_ADD = 0;
const uint VKP_OP_MUL = 1;
const uint VKP_OP_MIN = 2;
const uint VKP_OP_MAX = 3;
const uint VKP_OP_BIT_AND = 4;
const uint VKP_OP_BIT_OR = 5;
const uint VKP_OP_BIT_XOR = 6;

// mix() takes one instruction where && and ?: take branches.
#if defined(VKP_T_u32) || defined(VKP_T_u64)
// The kernels of unsigned integers also serve signed ones, which differ only in their order: the
// highest bit orders the other way round.
const VKP_T vkp_highest_bit = VKP_T(1) << (32u * VKP_WORDS - 1u);
VKP_T vkp_ordered(const VKP_T a) {
  return mix(a, a ^ vkp_highest_bit, (vkp_spec_op & VKP_OP_SIGNED) != 0u);
}
bool vkp_less(VKP_T a, VKP_T b) { return vkp_ordered(a) < vkp_ordered(b); }
bool vkp_is_nan(VKP_T a) { return false; }
#elif VKP_INTEGER
bool vkp_less(VKP_T a, VKP_T b) { return a < b; }
bool vkp_is_nan(VKP_T a) { return false; }
#elif VKP_WORDS == 1
// Bit patterns order like the numbers, but the other way round where both are negative. (For two
// negative numbers that are the same this says "less", which makes no difference to min and max.)
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
  const bool below = mix(int(x.y) < int(y.y), x.x < y.x, x.y == y.y);
  return below != (int(x.y & y.y) < 0);
}
bool vkp_is_nan(double a) {
  const uvec2 x = unpackDouble2x32(a);
  // The upper word is made larger if any bit of the lower word is set.
  return (x.y & 0x7fffffffu | min(x.x, 1u)) > 0x7ff00000u;
}
#endif

// The largest and the smallest value of the type.
#if defined(VKP_T_u32) || defined(VKP_T_u64)
#define VKP_HIGHEST vkp_ordered(~VKP_T(0))
#define VKP_LOWEST vkp_ordered(VKP_T(0))
#elif VKP_INTEGER
const VKP_T VKP_LOWEST = VKP_T(1) << (32u * VKP_WORDS - 1u);
const VKP_T VKP_HIGHEST = ~VKP_LOWEST;
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

// All results are computed and one is chosen, as a switch takes several times as many instructions
// wherever elements are combined; drivers know the operator and keep only its result.
VKP_T vkp_combine(const VKP_T left, const VKP_T right) {
  const bool is_min = vkp_op == VKP_OP_MIN;
  const bool is_less = vkp_less(mix(left, right, is_min), mix(right, left, is_min));
#if VKP_INTEGER
  VKP_T x = mix(left + right, left * right, vkp_op == VKP_OP_MUL);
  x = mix(x, mix(left, right, is_less), is_min);
  x = mix(x, mix(left, right, is_less), vkp_op == VKP_OP_MAX);
  x = mix(x, left & right, vkp_op == VKP_OP_BIT_AND);
  x = mix(x, left | right, vkp_op == VKP_OP_BIT_OR);
  return mix(x, left ^ right, vkp_op == VKP_OP_BIT_XOR);
#else
  precise const VKP_T sum = left + right;
  precise const VKP_T product = left * right;
  const bool takes_right = mix(mix(is_less, true, vkp_is_nan(left)), false, vkp_is_nan(right));
  const VKP_T best = mix(left, right, takes_right);
  return mix(mix(sum, product, vkp_op == VKP_OP_MUL), best, vkp_op >= VKP_OP_MIN);
#endif
}
#endif  // VKP_OWN_MONOID

#endif

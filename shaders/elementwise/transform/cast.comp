// Transform: conversions between elements of 1 or 2 words. Two constants say whether operands and
// results are unsigned, signed or float. The algorithm is in vkprims/device/map.glsl.
//
// Between integers, words are extended or dropped. Otherwise an element is taken apart into a sign,
// an exponent and a significand of 64 bits whose highest bit is set, which is exact. It is then put
// together again: truncated for integers, rounded to nearest even for floats. This is integer
// arithmetic alone, so every device gives the same bits (Vulkan leaves open how its own conversions
// round), and none needs 64-bit types.
// %UNROLL% driver
// %VARIANT% IN w32|w64
// %VARIANT% OUT w32|w64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/transform/transform.abi.h"
#include "vkprims/core.glsl"

layout(constant_id = VKP_TRANSFORM_SPEC_FROM) const uint from = VKP_KIND_UNSIGNED;
layout(constant_id = VKP_TRANSFORM_SPEC_TO) const uint to = VKP_KIND_UNSIGNED;
layout(push_constant) uniform Push { TransformPush push; };

void vkp_pack(uint x, out uint w[1]) { w[0] = x; }
uint vkp_unpack(uint w[1]) { return w[0]; }
void vkp_pack(uvec2 x, out uint w[2]) {
  w[0] = x.x;
  w[1] = x.y;
}
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }

#if defined(VKP_IN_w32)
#define VKP_T uint
#define VKP_WORDS 1
uvec2 extended(uint a) { return uvec2(a, from == VKP_KIND_SIGNED ? uint(int(a) >> 31) : 0u); }
#else
#define VKP_T uvec2
#define VKP_WORDS 2
uvec2 extended(uvec2 a) { return a; }
#endif

#include "number.glsl"

#if defined(VKP_OUT_w32)
#define VKP_OUT_T uint
#define VKP_OUT_WORDS 1
const int WIDTH = 32;
uint low_bits(uvec2 x) { return x.x; }
uint magnitude(Number n) { return n.significand.y >> (31 - n.exponent); }
uint negated(uint x) { return 0u - x; }
const uint ONES = 0xffffffffu;
const uint LOWEST = 0x80000000u;

uint to_float(Number n) {
  const uint sign = n.negative ? 0x80000000u : 0u;
  const uint high = n.significand.y;
  if (is_nan(n)) return sign | 0x7fc00000u | high >> 8 & 0x7fffffu;
  if (high == 0u) return sign;
  const int field = n.exponent + 127;
  if (!n.finite || field > 254) return sign | 0x7f800000u;
  // Below the normal numbers fewer bits are kept. With 31 fewer, everything is cut off, and that is
  // less than a half.
  const uint fewer = uint(clamp(1 - field, 0, 31));
  const bool below = (high << (31u - fewer) << 1 | n.significand.x) != 0u;
  const uint kept = high >> fewer;
  const uint cut = kept << 24 | uint(below);
  return sign | ((uint(max(field, 1) - 1) << 23) + (kept >> 8) + carry_of(cut, kept >> 8));
}

// short_to_float() does the same in fewer operations. A carry out of the fraction goes to the
// exponent, as it should.
#if defined(VKP_IN_w32)
uint short_to_float(uint a) {
  const bool negative = from == VKP_KIND_SIGNED && int(a) < 0;
  const uint magnitude = negative ? 0u - a : a;
  if (magnitude == 0u) return 0u;
  const uint highest = uint(findMSB(magnitude));
  const uint significand = magnitude << (31u - highest);
  const uint kept = significand >> 8;
  return (negative ? 0x80000000u : 0u) + ((highest + 126u) << 23) + kept +
         carry_of(significand << 24, kept);
}
#else
uint short_to_float(uvec2 a) {
  if (from == VKP_KIND_FLOAT) {
    const uint sign = a.y & 0x80000000u;
    const uint high = (a.y ^ sign) - (896u << 20);  // the exponent as that of 32 bits
    if (high - (1u << 20) < 254u << 20) {           // the result is a normal number
      const uint kept = high << 3 | a.x >> 29;
      return sign | (kept + carry_of(a.x << 3, kept));
    }
    if ((a.x | a.y ^ sign) == 0u) return sign;
  }
  return to_float(number_of(a));
}
#endif
#else
#define VKP_OUT_T uvec2
#define VKP_OUT_WORDS 2
const int WIDTH = 64;
uvec2 low_bits(uvec2 x) { return x; }
uvec2 magnitude(Number n) {
  const uint shift = uint(63 - n.exponent);
  if (shift >= 32u) return uvec2(n.significand.y >> (shift - 32u), 0u);
  return vkp_shr64(n.significand, shift);
}
uvec2 negated(uvec2 x) { return vkp_sub64(uvec2(0u), x); }
const uvec2 ONES = uvec2(0xffffffffu);
const uvec2 LOWEST = uvec2(0u, 0x80000000u);

// The values of all other types lie in the range of the normal numbers of f64.
uvec2 to_float(Number n) {
  const uint sign = n.negative ? 0x80000000u : 0u;
  const uvec2 kept = vkp_shr64(n.significand, 11u);
  if (is_nan(n)) return kept & uvec2(~0u, 0xfffffu) | uvec2(0u, sign | 0x7ff80000u);
  if (n.significand.y == 0u) return uvec2(0u, sign);
  if (!n.finite) return uvec2(0u, sign | 0x7ff00000u);
  const uvec2 rounded = vkp_add64(kept, carry_of(n.significand.x << 21, kept.x));
  return rounded + uvec2(0u, sign | uint(n.exponent + 1022) << 20);
}
#endif

VKP_OUT_T to_integer(Number n) {
  const bool is_signed = to == VKP_KIND_SIGNED;
  if (is_nan(n) || n.exponent < 0 || n.significand.y == 0u) return VKP_OUT_T(0u);
  if (!is_signed && n.negative) return VKP_OUT_T(0u);
  if (!n.finite || n.exponent >= (is_signed ? WIDTH - 1 : WIDTH)) {
    if (!is_signed) return ONES;
    return n.negative ? LOWEST : ONES ^ LOWEST;
  }
  return n.negative ? negated(magnitude(n)) : magnitude(n);
}

VKP_OUT_T vkp_map(VKP_T a, VKP_T b) {
  if (from != VKP_KIND_FLOAT && to != VKP_KIND_FLOAT) return low_bits(extended(a));
  if (from == to && VKP_WORDS == VKP_OUT_WORDS) return low_bits(extended(a));
  if (to != VKP_KIND_FLOAT) return to_integer(number_of(a));
#if defined(VKP_OUT_w32)
  return short_to_float(a);
#else
  return to_float(number_of(a));
#endif
}
#include "vkprims/device/map.glsl"

void main() {
  vkp_map_tile(VkpMap(vkp_u64(push.a_base), uvec2(0u), vkp_u64(push.out_base),
                      vkp_read_count(push.count), VKP_T(0u)));
}

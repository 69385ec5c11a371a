// Transform: comparisons of elements of 1 or 2 words, with the result 1 or 0. A constant says
// whether elements are unsigned, signed or float. The algorithm is in vkprims/device/map.glsl.
//
// Operands are compared by keys, which are unsigned numbers in the same order. Floats are ordered
// as IEEE 754 says, with both zeros alike; NaN has a test of its own. So devices do not differ in
// NaN or denormals, and none needs 64-bit types.
// %VARIANT% IN w32|w64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/transform/transform.abi.h"
#include "vkprims/core.glsl"

layout(constant_id = VKP_SPEC_OP) const uint op = 11;  // vkprims::MapOp
layout(constant_id = VKP_TRANSFORM_SPEC_FROM) const uint kind = VKP_KIND_UNSIGNED;
layout(push_constant) uniform Push { TransformPush push; };

const uint LESS = 11;
const uint LESS_EQUAL = 12;
const uint EQUAL = 13;
const uint NOT_EQUAL = 14;
const uint GREATER = 15;

#define VKP_OUT_T uint
#define VKP_OUT_WORDS 1
void vkp_pack(uint x, out uint w[1]) { w[0] = x; }

#if defined(VKP_IN_w32)
#define VKP_T uint
#define VKP_WORDS 1
uint vkp_unpack(uint w[1]) { return w[0]; }
bool less(uint a, uint b) { return a < b; }
bool is_nan(uint a) { return (a & 0x7fffffffu) > 0x7f800000u; }
uint key_of(uint a) {
  if (kind == VKP_KIND_SIGNED) return a ^ 0x80000000u;
  if (kind == VKP_KIND_UNSIGNED) return a;
  const uint negative = uint(int(a) >> 31);  // all ones: the magnitude counts the other way round
  return (a << 1) == 0u ? 0x80000000u : a ^ (negative | 0x80000000u);
}
#else
#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) {
  w[0] = x.x;
  w[1] = x.y;
}
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
bool less(uvec2 a, uvec2 b) { return vkp_less64(a, b); }
bool is_nan(uvec2 a) { return vkp_less64(uvec2(0u, 0x7ff00000u), uvec2(a.x, a.y & 0x7fffffffu)); }
uvec2 key_of(uvec2 a) {
  if (kind == VKP_KIND_SIGNED) return a ^ uvec2(0u, 0x80000000u);
  if (kind == VKP_KIND_UNSIGNED) return a;
  const uint negative = uint(int(a.y) >> 31);
  return (a.x | a.y << 1) == 0u ? uvec2(0u, 0x80000000u)
                                : a ^ uvec2(negative, negative | 0x80000000u);
}
#endif

uint vkp_map(VKP_T a, VKP_T b) {
  if (kind == VKP_KIND_FLOAT && (is_nan(a) || is_nan(b))) return op == NOT_EQUAL ? 1u : 0u;
  const VKP_T x = key_of(a);
  const VKP_T y = key_of(b);
  switch (op) {
    case LESS: return uint(less(x, y));
    case LESS_EQUAL: return uint(!less(y, x));
    case EQUAL: return uint(x == y);
    case NOT_EQUAL: return uint(x != y);
    case GREATER: return uint(less(y, x));
    default: return uint(!less(x, y));
  }
}
#include "vkprims/device/map.glsl"

void main() {
  vkp_map_tile(VkpMap(vkp_u64(push.a_base), vkp_u64(push.b_base), vkp_u64(push.out_base),
                      vkp_read_count(push.count), vkp_read_value(push.scalar)));
}

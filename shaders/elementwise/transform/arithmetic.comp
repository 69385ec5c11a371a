// Transform: functions whose result has the type of the operands. The algorithm is in
// vkprims/device/map.glsl.
// %VARIANT% T u32|i32|f32|u64|i64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/transform/transform.abi.h"
#include "vkprims/map_ops.glsl"

layout(push_constant) uniform Push { TransformPush push; };

// These values of vkprims::MapOp come after those of vkp_binary().
const uint NEG = 17;
const uint ABS = 18;
const uint BIT_NOT = 19;
const uint SCALE_ADD = 20;

VKP_T alpha;

// The sign of a float is a bit, so this is exact whatever a device does with NaN and denormals.
VKP_T with_sign(VKP_T x, uint keep, uint flip) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  w[VKP_WORDS - 1] = (w[VKP_WORDS - 1] & (keep << 31 | 0x7fffffffu)) ^ (flip << 31);
  return vkp_unpack(w);
}

// Returns alpha * x + y, rounded twice. Some compilers contract a product and a sum although both
// are `precise`, unless the product passes through an operation that they cannot see through.
VKP_T scale_add(VKP_T x, VKP_T y) {
  precise VKP_T product = alpha * x;
#if !VKP_INTEGER
  uint w[VKP_WORDS];
  vkp_pack(product, w);
  w[VKP_WORDS - 1] ^= push.zero;
  product = vkp_unpack(w);
#endif
  precise const VKP_T sum = product + y;
  return sum;
}

VKP_T vkp_map(VKP_T a, VKP_T b) {
  switch (vkp_op) {
#if VKP_INTEGER
    case NEG: return VKP_T(0) - a;
    case ABS: return a < VKP_T(0) ? VKP_T(0) - a : a;
    case BIT_NOT: return ~a;
#else
    case NEG: return with_sign(a, 1u, 1u);
    case ABS: return with_sign(a, 0u, 0u);
#endif
    case SCALE_ADD: return scale_add(a, b);
    default: return vkp_binary(a, b);
  }
}
#include "vkprims/device/map.glsl"

void main() {
  alpha = vkp_read_value(push.alpha);
  vkp_map_tile(VkpMap(vkp_u64(push.a_base), vkp_u64(push.b_base), vkp_u64(push.out_base),
                      vkp_read_count(push.count), vkp_read_value(push.scalar)));
}

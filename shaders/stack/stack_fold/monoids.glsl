// The monoids of stack_fold, chosen by VKP_T_u32, VKP_T_f32, VKP_T_rectangle or VKP_T_affine. A
// kernel for a monoid of its own defines the same itself instead of including this file, as for
// lookback.glsl. Outer opens are on the left.
#ifndef VKPRIMS_STACK_FOLD_MONOIDS_GLSL
#define VKPRIMS_STACK_FOLD_MONOIDS_GLSL

#include "vkprims/core.glsl"

#if defined(VKP_OWN_MONOID)
#include "vkprims/types.glsl"
#elif defined(VKP_T_rectangle)

// A rectangle is x0, y0, x1, y1. Coordinates that compare as equal are the same, whichever is
// taken.
#define VKP_T vec4
#define VKP_WORDS 4
layout(constant_id = VKP_SPEC_OP) const uint vkp_op = 0;  // 0: intersection, else: bounding box
void vkp_pack(vec4 x, out uint w[4]) {
  [[unroll]] for (uint i = 0u; i < 4u; ++i) w[i] = floatBitsToUint(x[i]);
}
vec4 vkp_unpack(uint w[4]) {
  return vec4(uintBitsToFloat(w[0]), uintBitsToFloat(w[1]), uintBitsToFloat(w[2]),
              uintBitsToFloat(w[3]));
}
vec4 vkp_identity() {
  const float infinity = uintBitsToFloat(0x7f800000u);
  return vkp_op == 0u ? vec4(-infinity, -infinity, infinity, infinity)
                      : vec4(infinity, infinity, -infinity, -infinity);
}
vec4 vkp_combine(const vec4 left, const vec4 right) {
  vec4 x;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const bool most = (i < 2u) == (vkp_op == 0u);
    x[i] = (most ? left[i] < right[i] : right[i] < left[i]) ? right[i] : left[i];
  }
  return x;
}

#elif defined(VKP_T_affine)

// a … f of the map x' = a x + c y + e, y' = b x + d y + f. The right map is applied first.
struct Affine {
  float a, b, c, d, e, f;
};
#define VKP_T Affine
#define VKP_WORDS 6
void vkp_pack(Affine x, out uint w[6]) {
  w = uint[6](floatBitsToUint(x.a), floatBitsToUint(x.b), floatBitsToUint(x.c),
              floatBitsToUint(x.d), floatBitsToUint(x.e), floatBitsToUint(x.f));
}
Affine vkp_unpack(uint w[6]) {
  return Affine(uintBitsToFloat(w[0]), uintBitsToFloat(w[1]), uintBitsToFloat(w[2]),
                uintBitsToFloat(w[3]), uintBitsToFloat(w[4]), uintBitsToFloat(w[5]));
}
Affine vkp_identity() { return Affine(1.0, 0.0, 0.0, 1.0, 0.0, 0.0); }
Affine vkp_combine(Affine l, Affine r) {
  precise Affine x;
  x.a = l.a * r.a + l.c * r.b;
  x.b = l.b * r.a + l.d * r.b;
  x.c = l.a * r.c + l.c * r.d;
  x.d = l.b * r.c + l.d * r.d;
  x.e = l.a * r.e + l.c * r.f + l.e;
  x.f = l.b * r.e + l.d * r.f + l.f;
  return x;
}

#else
#include "vkprims/ops.glsl"
#endif

#endif

// A monoid that does not commute, through the public contract of vkprims/device/reduce.glsl: it
// composes the functions x -> a x + b over integers modulo 2^32.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"
#include "reduce/reduce/reduce.abi.h"

struct Affine {
  uint a, b;
};
#define VKP_T Affine
#define VKP_WORDS 2
void vkp_pack(Affine f, out uint w[2]) {
  w[0] = f.a;
  w[1] = f.b;
}
Affine vkp_unpack(uint w[2]) { return Affine(w[0], w[1]); }
Affine vkp_identity() { return Affine(1u, 0u); }
// The left function is applied first.
Affine vkp_combine(Affine left, Affine right) {
  return Affine(right.a * left.a, right.a * left.b + right.b);
}
#include "vkprims/device/reduce.glsl"

layout(push_constant) uniform Push { ReducePush push; };

void main() {
  VkpReduce work;
  work.in_base = vkp_u64(push.in_base);
  work.count = vkp_read_count(push.count);
  work.max_groups = push.max_groups;
  work.scratch = vkp_u64(push.scratch);
  Affine total;
  if (vkp_reduce(work, total)) vkp_store_element(vkp_u64(push.out_base), 0u, total);
}

// Counts the opens that are on the stack before each symbol and sums their numbers, by
// vkprims/memory/stack_walk.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/transform/transform.abi.h"
#include "vkprims/memory/stack_walk.glsl"

layout(push_constant) uniform Push { TransformPush push; };

void main() {
  const uint i = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= push.count.max.lo) return;
  uint depth = 0u;
  uint sum = 0u;
  for (VkpStackWalk w = vkp_stack_walk(vkp_u64(push.a_base), push.zero, uvec2(i, 0u));
       !vkp_stack_empty(w); vkp_stack_pop(w)) {
    ++depth;
    sum += w.top.x;
  }
  VkpWords2(vkp_u64(push.out_base)).v[i] = uvec2(depth, sum);
}

// Each workgroup adds 1 to a word of its number: the GLSL library, and its push constants by a
// header.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"
#include "numbered.abi.h"

layout(push_constant) uniform Push { NumberedPush push; };

void main() {
  const uint group = vkp_group_index();
  if (gl_LocalInvocationIndex != 0u || group >= vkp_read_count(push.count).x) return;
  VkpWords(vkp_u64(push.out_base)).v[group] += push.wanted + gl_WorkGroupSize.x;
}

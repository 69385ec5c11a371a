// Computes blocks of vkprims/random/philox.glsl for counters and keys in memory: 8 words in
// (counter, key, rounds), 4 out.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/transform/transform.abi.h"
#include "vkprims/random/philox.glsl"

layout(push_constant) uniform Push { TransformPush push; };

void main() {
  const uint i = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= push.count.max.lo) return;
  const uvec4 counter = VkpWords4(vkp_u64(push.a_base)).v[2u * i];
  const uvec4 key = VkpWords4(vkp_u64(push.a_base)).v[2u * i + 1u];
  uvec4 block = vkp_philox4x32(counter, key.xy, 10u);
  if (key.z == 7u) block = vkp_philox4x32(counter, key.xy, 7u);
  // The counter is a position in a stream: the sum of where the stream begins and the number of the
  // block.
  const VkpRng rng = VkpRng(key.xy, counter.zw, vkp_sub64(counter.xy, uvec2(0xffffffffu, 1u)));
  if (key.w == 1u) block = vkp_rng_block(rng, uvec2(0xffffffffu, 1u), 10u);
  VkpWords4(vkp_u64(push.out_base)).v[i] = block;
}

// One invocation moves the offset of a DeviceRngState behind what a call has drawn, in whole
// blocks.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "random/rng_advance/rng_advance.abi.h"
#include "vkprims/core.glsl"

layout(push_constant) uniform Push { RngAdvancePush push; };

void main() {
  if (gl_GlobalInvocationID.x != 0u) return;
  const uvec2 draws = vkp_add64(vkp_read_count(push.draws), (1u << push.block_draws) - 1u);
  const uvec2 words = vkp_shl64(vkp_shr64(draws, push.block_draws), 2u);
  VkpWords2 state = VkpWords2(vkp_u64(push.state));
  state.v[1] = vkp_add64(state.v[1], vkp_add64(vkp_u64(push.offset), words));
}

// Each invocation turns a count into the arguments of an indirect draw.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/draw_args/draw_args.abi.h"
#include "vkprims/memory/count_array.glsl"

layout(push_constant) uniform Push { DrawArgsPush push; };

void main() {
  const uint command = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (command >= push.commands) return;
  // The host has checked that the product of the largest count has 32 bits.
  const uint number = vkp_read_count_of(push.count, command).x * push.per_item;
  VkpWords args =
      VkpWords(vkp_add64(vkp_u64(push.args), vkp_mul64(command, 4u * push.words)));
  [[unroll]] for (uint i = 0u; i < VKP_DRAW_ARGS_WORDS; ++i) {
    if (i < push.words) args.v[i] = i == push.place ? number : push.values[i];
  }
}

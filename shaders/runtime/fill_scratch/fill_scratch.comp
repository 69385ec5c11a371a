// Sets a few words of scratch to the same value, by one workgroup: Commands::fill() dispatches it
// on queues where the commands for this take longer.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "runtime/fill_scratch/fill_scratch.abi.h"
#include "vkprims/core.glsl"

layout(push_constant) uniform Push { FillScratchPush push; };

void main() {
  for (uint i = gl_LocalInvocationIndex; i < push.words; i += gl_WorkGroupSize.x) {
    VkpWords(vkp_u64(push.base)).v[i] = push.word;
  }
}

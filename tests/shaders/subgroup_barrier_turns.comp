// Counts the turns of each subgroup in a loop over vkp_subgroup_barrier() that only subgroup 0
// enters.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/subgroup/subgroup_barrier.glsl"

layout(push_constant) uniform Push {
  uint out_lo, out_hi;      // a word for each invocation
  uint turns_lo, turns_hi;  // one word, unknown to the compiler
};

void main() {
  const uint turns = gl_SubgroupID == 0u ? VkpWords(uvec2(turns_lo, turns_hi)).v[0] : 0u;
  VkpWords made = VkpWords(uvec2(out_lo, out_hi));
  made.v[gl_LocalInvocationIndex] = 0u;
  for (uint i = 0u; i < turns; ++i) {
    made.v[gl_LocalInvocationIndex] = i + 1u;
    vkp_subgroup_barrier();
  }
}

// A driver trap (lavapipe from 23 on): a barrier of execution of a subgroup, in a loop that other
// subgroups do not enter, ends it as if they had to take part.
// vkprims/subgroup/subgroup_barrier.glsl has another form for lavapipe.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#include "vkprims/core.glsl"

layout(push_constant) uniform Push {
  uint out_lo, out_hi;      // one word per invocation
  uint turns_lo, turns_hi;  // one word, unknown to the compiler
};

void main() {
  const uint turns = gl_SubgroupID == 0u ? VkpWords(uvec2(turns_lo, turns_hi)).v[0] : 0u;
  VkpWords made = VkpWords(uvec2(out_lo, out_hi));
  for (uint i = 0u; i < turns; ++i) {
    made.v[gl_LocalInvocationIndex] = i + 1u;
    controlBarrier(
        gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared,
        gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  }
}

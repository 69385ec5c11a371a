// A driver trap (lavapipe): subgroups that leave a loop at different times, as spins do, with an
// acquire at device scope inside, lose what follows the loop. The library uses gl_ScopeQueueFamily.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#include "vkprims/core.glsl"

layout(push_constant) uniform Push {
  uint out_lo, out_hi;      // one word per invocation
  uint zeros_lo, zeros_hi;  // one word: 0, unknown to the compiler
};

void main() {
  VkpSharedWords zeros = VkpSharedWords(uvec2(zeros_lo, zeros_hi));
  uint seen = 0u;
  const uint trips = 2u * (gl_SubgroupID & 1u) + atomicLoad(zeros.v[0], gl_ScopeQueueFamily, 0, 0);
  for (uint i = 0u; i < trips; ++i) {
    seen += atomicLoad(zeros.v[0], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                       gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  }
  VkpWords(uvec2(out_lo, out_hi)).v[gl_LocalInvocationIndex] = 1u + seen;
}

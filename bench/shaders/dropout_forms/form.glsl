// What the forms of dropout of bench/random/dropout_bench.cpp share: f32 forward, draws as the
// library has them.
#extension GL_GOOGLE_include_directive : require
#include "vkprims/random/philox.glsl"

layout(push_constant) uniform Push {
  VkpU64 in_base, out_base, mask;
  VkpU64 count;
  uint threshold;
  float scale;
} push;

const VkpRng kRng = VkpRng(uvec2(1u, 0u), uvec2(0u), uvec2(0u));

// The number of this invocation.
uvec2 index() {
  return vkp_add64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), gl_LocalInvocationIndex);
}

float dropped(float x, bool keep) { return keep ? x * push.scale : 0.0; }

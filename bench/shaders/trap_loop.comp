// A driver trap (lavapipe before 25): loops end silently after 65,535 iterations summed over all
// loops of an invocation.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"

layout(push_constant) uniform Push {
  uint words_lo, words_hi;  // 1, 1, 1, 1, result
};

void main() {
  if (vkp_group_index() != 0u || gl_LocalInvocationIndex != 0u) return;
  VkpWords words = VkpWords(uvec2(words_lo, words_hi));
  uint sum = 0u;
  for (uint i = 0u; i < 300u; ++i) {
    for (uint j = 0u; j < 300u; ++j) sum += words.v[(i ^ j) & 3u];
  }
  words.v[4] = sum;  // 90,000
}

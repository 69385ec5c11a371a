// A driver trap (lavapipe before 25): code is dropped after plain shared-memory accesses in a loop
// whose trip count differs between subgroups.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#include "vkprims/core.glsl"

layout(push_constant) uniform Push {
  uint out_lo, out_hi;    // one word per invocation
  uint trip_lo, trip_hi;  // one word: 1, unknown to the compiler
};

shared uint values[1024];

void main() {
  VkpWords trip = VkpWords(uvec2(trip_lo, trip_hi));
  const uint lane = gl_LocalInvocationIndex;
  values[lane] = lane;
  barrier();
  uint sum = 0u;
  const uint trips = (gl_SubgroupID + 1u) * trip.v[0];
  for (uint i = 0u; i < trips; ++i) {
    sum += values[lane];
    values[lane] += 1u;
  }
  VkpWords(uvec2(out_lo, out_hi)).v[lane] =
      trips * lane + trips * (trips - 1u) / 2u == sum ? 1u : 2u;
}

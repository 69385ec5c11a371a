// Adds to counters that lie side by side, each invocation to all of them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/memory/counters.glsl"

layout(push_constant) uniform Push {
  uint counters_lo, counters_hi;
  uint counters;
  uint number;  // what invocation 0 adds; the others add 1 more than the one before
  uint may_carry;
};

void main() {
  const uint own = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  for (uint i = 0u; i < counters; ++i) {
    vkp_add_to_counter(vkp_add64(uvec2(counters_lo, counters_hi), 8u * i), number + own,
                       may_carry != 0u);
  }
}

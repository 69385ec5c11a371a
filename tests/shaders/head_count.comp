// Counts heads that do not exist: every lane says that it has `each` of them.
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_T_u32
#include "vkprims/ops.glsl"
#include "vkprims/device/head_count.glsl"

layout(push_constant) uniform Push {
  uint counters_lo, counters_hi;  // three words that are 0
  uint out_lo, out_hi;
  uint groups;
  uint each;
};

void main() {
  VkpScan scan;
  scan.total = uvec2(out_lo, out_hi);
  vkp_count_heads(scan, uvec2(counters_lo, counters_hi), groups, each);
}

// Scans over the test monoids in strips: the second dispatch.
// %VARIANT% MONOID bicyclic|affine|count|wide|illegal
#version 460
#extension GL_GOOGLE_include_directive : require
#include "monoids/scan.glsl"
#include "vkprims/device/scan_multi_pass.glsl"

void main() {
  const VkpMultiPass passes = VkpMultiPass(vkp_u64(push.scratch), push.max_parts);
  vkp_scan_multi_pass_scan(pushed_scan(), passes, pushed_seed());
}

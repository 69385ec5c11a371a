// Scans over the test monoids in strips: the first dispatch.
// %VARIANT% MONOID bicyclic|affine|count|wide|illegal
#version 460
#extension GL_GOOGLE_include_directive : require
#include "monoids/scan.glsl"
#include "vkprims/device/scan_strips.glsl"

void main() {
  const VkpStrips strips = VkpStrips(vkp_u64(push.scratch), push.max_parts);
  vkp_scan_fold_strips(pushed_scan(), strips, pushed_seed());
}

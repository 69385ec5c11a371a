// Scans over the test monoids by decoupled look-back.
// %VARIANT% MONOID bicyclic|affine|count|wide|illegal
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "monoids/scan.glsl"
#include "vkprims/device/scan_look_back.glsl"

VKP_T vkp_seed() { return pushed_seed(); }

void main() { vkp_scan_look_back(pushed_scan(), VkpLookback(vkp_u64(push.scratch))); }

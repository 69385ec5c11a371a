// Scan with the built-in types and operators in one dispatch; the algorithm is in
// vkprims/device/scan_look_back.glsl.
// %VARIANT% T u32|f32|u64|f64
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/scan/scan.glsl"
#include "vkprims/device/scan_look_back.glsl"

VKP_T vkp_seed() { return pushed_seed(); }

void main() { vkp_scan_look_back(pushed_scan(), VkpLookback(vkp_u64(push.scratch))); }

// Scan in segments with the built-in types and operators in one dispatch; the algorithm is in
// vkprims/device/segmented_scan_look_back.glsl.
// %VARIANT% T u32|f32|u64|f64
// %VARIANT% STATE word32|word64
// %INLINE% vkp_fold_tails|vkp_join
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/segmented_scan/segmented_scan.glsl"
#include "vkprims/device/segmented_scan_look_back.glsl"

void main() { vkp_segmented_scan_look_back(pushed_segments(), VkpLookback(vkp_u64(push.scratch))); }

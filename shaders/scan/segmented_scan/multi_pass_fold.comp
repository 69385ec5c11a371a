// First dispatch of the multi-pass scan in segments, which folds; the algorithm is in
// vkprims/device/segmented_scan_multi_pass.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/segmented_scan/segmented_scan.glsl"
#include "vkprims/device/segmented_scan_multi_pass.glsl"

void main() {
  vkp_segmented_scan_multi_pass_fold(pushed_segments(),
                                     VkpMultiPass(vkp_u64(push.scratch), push.max_parts));
}

// First dispatch of the scan in segments by strips; the algorithm is in
// vkprims/device/segment_strips.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/segmented_scan/segments.glsl"
#include "vkprims/device/segment_strips.glsl"

void main() {
  vkp_segment_fold_strips(pushed_segments(), VkpStrips(vkp_u64(push.scratch), push.max_parts));
}

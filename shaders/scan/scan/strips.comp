// Second dispatch of scan by strips, or the only dispatch if there is a single workgroup; the
// algorithm is in vkprims/device/scan_strips.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/scan/scan.glsl"
#include "vkprims/device/scan_strips.glsl"

void main() {
  const VkpStrips strips = VkpStrips(vkp_u64(push.scratch), push.max_parts);
  vkp_scan_strips(pushed_scan(), strips, pushed_seed());
}

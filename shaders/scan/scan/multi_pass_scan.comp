// Second dispatch of the multi-pass scan, or the only dispatch if there is a single workgroup; the
// algorithm is in vkprims/device/scan_multi_pass.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/scan/scan.glsl"
#include "vkprims/device/scan_multi_pass.glsl"

void main() {
  const VkpMultiPass passes = VkpMultiPass(vkp_u64(push.scratch), push.max_parts);
  vkp_scan_multi_pass_scan(pushed_scan(), passes, pushed_seed());
}

// First dispatch of scan by chunks; the algorithm is in vkprims/scan_chunks.glsl.
// %VARIANT% T u32|i32|f32||u64|i64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/scan.glsl"
#include "vkprims/scan_chunks.glsl"

void main() {
  const VkpChunks chunks = VkpChunks(vkp_u64(push.scratch), push.max_parts);
  vkp_scan_fold_chunks(pushed_scan(), chunks, pushed_seed());
}

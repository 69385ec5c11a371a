// Folds within the tiles of segmented_reduce; the algorithm is in
// vkprims/device/segmented_reduce.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reduce/segmented_reduce/segmented_reduce.glsl"

void main() {
  const uvec2 offsets = vkp_u64(push.offset_base);
  if (vkp_alone != 0u) {
    const uvec2 count = vkp_read_count(push.count);
    vkp_segmented_alone(pushed_work(), vkp_offsets(offsets, count, vkp_u64(push.value_count)));
  } else {
    vkp_segmented_tile(pushed_work(), offsets);
  }
}

// Folds within the tiles of segmented_reduce; the algorithm is in
// vkprims/device/segmented_reduce.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reduce/segmented_reduce/segmented_reduce.glsl"

void main() {
  vkp_segmented_tile(pushed_work(), VkpSegments(vkp_u64(push.offset_base), push.count,
                                                vkp_u64(push.value_count)));
}

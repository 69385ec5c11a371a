// Last dispatch of segmented_reduce; the algorithm is in vkprims/device/segmented_reduce.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reduce/segmented_reduce/segmented_reduce.glsl"

void main() { vkp_segmented_fix_up(pushed_work()); }

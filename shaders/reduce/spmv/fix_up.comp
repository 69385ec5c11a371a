// Last dispatch of spmv; the algorithm is in vkprims/device/segmented_reduce.glsl.
// %VARIANT% T f32|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reduce/spmv/spmv.glsl"

// No value is loaded here.
void vkp_load_values(VkpTileItems items, out VkpCell cells[vkp_rows]) {}
VKP_T vkp_load_value(VkpTileItems items, uint item) { return VKP_T(0); }

void main() { vkp_segmented_fix_up(pushed_work()); }

// The last dispatch of spmv; the algorithm is in vkprims/segmented_reduce.glsl.
// %VARIANT% T f32||f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "spmv/spmv.glsl"

// No value is loaded here.
VkpCell vkp_load_values(VkpItems items, uint cell, bool whole) { return vkp_load_whole_cell(items.base, cell); }

void main() { vkp_segmented_fix_up(pushed_work()); }

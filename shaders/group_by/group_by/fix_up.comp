// Finishes the groups that cross tiles, from what reduce.comp left: this is the fix-up of
// vkprims/device/segmented_reduce.glsl.
// %VARIANT% FAMILY stats|places|distinct|moments|moments64
// %VARIANT% VALUE word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/accumulators.glsl"

void main() {
  if (vkp_read_count(push.rows) == uvec2(0u)) return;
  vkp_segmented_fix_up(pushed_work());
}

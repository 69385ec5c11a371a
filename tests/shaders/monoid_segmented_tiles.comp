// Folds of segments over the test monoids, within tiles.
// %VARIANT% MONOID bicyclic|wide|illegal
#version 460
#extension GL_GOOGLE_include_directive : require
#include "monoids/segmented.glsl"

void main() {
  vkp_segmented_tile(pushed_work(), VkpSegments(vkp_u64(push.offset_base), push.count,
                                                vkp_u64(push.value_count)));
}

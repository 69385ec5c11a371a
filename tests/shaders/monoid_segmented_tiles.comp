// Folds of segments over the test monoids, within tiles.
// %VARIANT% MONOID bicyclic|wide|illegal
#version 460
#extension GL_GOOGLE_include_directive : require
#include "monoids/segmented.glsl"

void main() {
  const uvec2 offsets = vkp_u64(push.offset_base);
  if (vkp_alone != 0u) {
    const uvec2 count = vkp_read_count(push.count);
    vkp_segmented_alone(pushed_work(), vkp_offsets(offsets, count, vkp_u64(push.value_count)));
  } else {
    vkp_segmented_tile(pushed_work(), offsets);
  }
}

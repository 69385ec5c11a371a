// Sum, least and most of a number of every lane, to all lanes, for what may run in a fallback of lookback.glsl: by
// shuffles, which wait for all lanes. There the driver of the H200 runs subgroupAdd, subgroupMin and subgroupMax with
// some lanes only, if these parted before: half of the heads of a tile were lost.
#ifndef VKPRIMS_LANES_GLSL
#define VKPRIMS_LANES_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "core.glsl"

uint vkp_sum_of_lanes(uint x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) x += subgroupShuffleXor(x, distance);
  return x;
}
uint vkp_least_of_lanes(uint x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) x = min(x, subgroupShuffleXor(x, distance));
  return x;
}
uint vkp_most_of_lanes(uint x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) x = max(x, subgroupShuffleXor(x, distance));
  return x;
}

#endif

// Sums, least and most of a number of every lane, for what may run in a fallback of lookback.glsl or beside one: by
// shuffles, which wait for all lanes. There the driver of the H200 runs subgroupAdd, subgroupMin and subgroupMax with
// some lanes only, if these parted before: half of the heads of a tile were lost.
#ifndef VKPRIMS_LANES_GLSL
#define VKPRIMS_LANES_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "vkprims/core.glsl"

// A subgroup has rows of a cell for each lane. This lane's cells are one of each row; or neighbours where this is
// defined as true, for kernels that store no rows: what comes before a lane is found once for all its cells then.
#ifndef VKP_CELLS_BY_LANE
#define VKP_CELLS_BY_LANE false
#endif

uint vkp_cell_of_lane(uint row, uint rows) {
  return VKP_CELLS_BY_LANE ? gl_SubgroupInvocationID * rows + row
                           : row * gl_SubgroupSize + gl_SubgroupInvocationID;
}

// Of this lane and those before it.
uint vkp_sum_upto_lane(uint x) {
  const uint lane = gl_SubgroupInvocationID;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const uint left = subgroupShuffle(x, uint(max(int(lane) - int(distance), 0)));  // (signed: one instruction)
    if (lane >= distance) x += left;
  }
  return x;
}

// Whether it is so for any lane. Where all lanes agree anyway, compilers know it by this, and shuffles behind the branch take
// one instruction instead of ten.
bool vkp_any_lane(const bool x) { return subgroupBallot(x) != uvec4(0u); }

// Of all lanes, to all lanes.
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

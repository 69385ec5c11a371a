// Sum, minimum and maximum of a number of every lane, for code that may run in a fallback of
// lookback.glsl or beside one. They use shuffles, which wait for all lanes. In such code the driver
// of the H200 runs subgroupAdd, subgroupMin and subgroupMax with only some of the lanes, if these
// diverged before: half of the heads of a tile were lost.
#ifndef VKPRIMS_LANES_GLSL
#define VKPRIMS_LANES_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "vkprims/core.glsl"

// A subgroup has rows of one cell for each lane. By default this lane's cells are one of each row.
// Kernels that store no rows may define VKP_CELLS_BY_LANE as true: a lane's cells are then
// neighbours, and what comes before a lane is found once for all of them.
#ifndef VKP_CELLS_BY_LANE
#define VKP_CELLS_BY_LANE false
#endif

uint vkp_cell_of_lane(uint row, uint rows) {
  return VKP_CELLS_BY_LANE ? gl_SubgroupInvocationID * rows + row
                           : row * gl_SubgroupSize + gl_SubgroupInvocationID;
}

// Returns the sum of x over this lane and those before it.
uint vkp_sum_upto_lane(uint x) {
  const uint lane = gl_SubgroupInvocationID;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    // The signed difference takes one instruction.
    const uint left = subgroupShuffle(x, uint(max(int(lane) - int(distance), 0)));
    if (lane >= distance) x += left;
  }
  return x;
}

// Whether x is true in any lane. Where all lanes agree anyway, this lets compilers know it, and
// shuffles behind the branch take one instruction instead of ten.
bool vkp_any_lane(const bool x) { return subgroupBallot(x) != uvec4(0u); }

// These return the sum, minimum and maximum over all lanes to all lanes.
uint vkp_sum_of_lanes(uint x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    x += subgroupShuffleXor(x, distance);
  }
  return x;
}
uint vkp_least_of_lanes(uint x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    x = min(x, subgroupShuffleXor(x, distance));
  }
  return x;
}
uint vkp_most_of_lanes(uint x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    x = max(x, subgroupShuffleXor(x, distance));
  }
  return x;
}

#endif

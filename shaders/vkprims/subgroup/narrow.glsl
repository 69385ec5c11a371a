// A search by all lanes of a subgroup, each of which examines a place of a range. It takes a
// fraction of the turns that one invocation takes, and so many more loads, so it is for few
// searches.
//
//   uvec2 low = …, high = …;  // the same in all lanes
//   while (vkp_less64(low, high)) {
//     const uvec2 place = vkp_place_of_lane(low, high, gl_SubgroupInvocationID);
//     vkp_narrow(low, high, …);  // whether what is looked for lies behind the place
//   }
//
// Then low is what is looked for. The search ends whatever the lanes say, as low grows or high
// falls in each turn, and neither leaves the range.
#ifndef VKPRIMS_NARROW_GLSL
#define VKPRIMS_NARROW_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "vkprims/core.glsl"

// The last place of the part of the range that a lane has; all parts together cover the range.
uvec2 vkp_place_of_lane(const uvec2 low, const uvec2 high, const uint lane) {
  const uvec2 rounded = vkp_add64(vkp_sub64(high, low), gl_SubgroupSize - 1u);
  const uvec2 part = vkp_shr64(rounded, uint(findLSB(gl_SubgroupSize)));
  const uvec2 end = vkp_min64(vkp_add64(low, vkp_mul64(part, lane + 1u)), high);
  return vkp_sub64(end, uvec2(1u, 0u));
}

void vkp_narrow(inout uvec2 low, inout uvec2 high, const bool is_behind) {
  const uvec4 behind = subgroupBallot(is_behind), others = subgroupBallot(!is_behind);
  uvec2 new_low = low;
  if (behind != uvec4(0u)) {
    new_low = vkp_add64(vkp_place_of_lane(low, high, subgroupBallotFindMSB(behind)), 1u);
  }
  if (others != uvec4(0u)) high = vkp_place_of_lane(low, high, subgroupBallotFindLSB(others));
  low = new_low;
}

#endif

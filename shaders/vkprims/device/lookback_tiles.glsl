// Which tile a workgroup does where it may have to wait for the tiles before it; and, for tests,
// injected faults and counters.
//
// The scratch of a look-back begins with the header that lookback.h lays out. How a workgroup waits
// is up to the includer: lookback.glsl, or the radix sort, whose tiles publish a number for every
// digit.
#ifndef VKPRIMS_LOOKBACK_TILES_GLSL
#define VKPRIMS_LOOKBACK_TILES_GLSL

#include "vkprims/core.glsl"
#include "vkprims/device/lookback.h"

layout(constant_id = VKP_LOOKBACK_SPEC_SPINS) const uint vkp_lookback_spins = 8;
layout(constant_id = VKP_LOOKBACK_SPEC_PAUSE) const uint vkp_lookback_pause = 0;
layout(constant_id = VKP_LOOKBACK_SPEC_BY_GROUP) const uint vkp_lookback_by_group = 0;
layout(constant_id = VKP_LOOKBACK_SPEC_IN_PLACE) const uint vkp_lookback_in_place = 0;
layout(constant_id = VKP_LOOKBACK_SPEC_STATISTICS) const uint vkp_lookback_statistics = 0;
layout(constant_id = VKP_LOOKBACK_SPEC_FAULTS) const uint vkp_lookback_faults = 0;
layout(constant_id = VKP_LOOKBACK_SPEC_PERIOD) const uint vkp_lookback_period = 1;

const uint VKP_NO_TILE = 0xffffffffu;

struct VkpLookback {
  uvec2 scratch;  // address of header and states, see lookback.h
};

shared uint vkp_lookback_tile;  // this workgroup's tile, from the ticket

bool vkp_lookback_fault(const uint fault, const uint tile) {
  return (vkp_lookback_faults & fault) != 0u && tile % vkp_lookback_period == 0u;
}

// Causes an injected delay.
void vkp_lookback_delay(VkpLookback l) {
  for (uint i = 0u; i < 200u; ++i) {
    atomicAdd(VkpSharedWords(l.scratch).v[VKP_LOOKBACK_DELAYS], 1u, gl_ScopeQueueFamily, 0, 0);
  }
}

// Returns which of `tiles` tiles this workgroup is to do, or VKP_NO_TILE. Call this once, in
// uniform control flow.
uint vkp_take_tile(VkpLookback l, uint tiles) {
  uint tile = vkp_group_index();
  if (tile >= tiles) return VKP_NO_TILE;  // a surplus workgroup takes no ticket
  if (vkp_lookback_by_group == 0u) {
    if (gl_LocalInvocationIndex == 0u) {
      vkp_lookback_tile = atomicAdd(VkpSharedWords(l.scratch).v[VKP_LOOKBACK_TICKET], 1u,
                                    gl_ScopeQueueFamily, 0, 0);
    }
    barrier();
    tile = vkp_lookback_tile;
  }
  if ((vkp_lookback_faults & VKP_LOOKBACK_SHUFFLED) != 0u) {
    const uint first = tile - tile % vkp_lookback_period;
    tile = first + min(vkp_lookback_period, tiles - first) - 1u - (tile - first);
  }
  return tile;
}

#endif

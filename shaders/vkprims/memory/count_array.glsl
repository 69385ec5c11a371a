// Counts that lie one behind the other in memory, where there may also be one on the host.
#ifndef VKPRIMS_COUNT_ARRAY_GLSL
#define VKPRIMS_COUNT_ARRAY_GLSL

#include "vkprims/core.glsl"

// Returns count `i` of those of which `first` is the first one; all are the same if it is on the
// host.
uvec2 vkp_read_count_of(VkpCount first, uint i) {
  const uvec2 address = vkp_u64(first.address);
  if (address != uvec2(0u)) {
    const uvec2 at = vkp_add64(address, vkp_mul64(i, first.is_u64 != 0u ? 8u : 4u));
    first.address = VkpU64(at.x, at.y);
  }
  return vkp_read_count(first);
}

#endif

// What the dispatches of a merge sort share: how long runs are, and where they lie.
#ifndef VKPRIMS_MERGE_SORT_RUNS_GLSL
#define VKPRIMS_MERGE_SORT_RUNS_GLSL

#include "sort/merge_sort/merge_sort.abi.h"
#include "vkprims/core.glsl"

layout(push_constant) uniform VkpPush { MergeSortPush vkp_push; };

int vkp_msb64(const uvec2 x) { return x.y != 0u ? findMSB(x.y) + 32 : findMSB(x.x); }

// How often runs of a tile are merged until there is only one: after p merges they have tile * 2^p
// elements.
uint vkp_passes_of(const uvec2 count) {
  const uvec2 tile = uvec2(vkp_push.tile_items, 0u);
  const int passes = vkp_msb64(count) - vkp_msb64(tile);
  if (passes < 0) return 0u;
  return uint(passes) + uint(vkp_less64(vkp_shl64(tile, uint(passes)), count));
}

// Whether runs lie in `out` after so many passes, as they do in the end; otherwise they lie in
// scratch.
bool vkp_is_in_out(const uint done, const uint passes) { return (passes - done) % 2u == 0u; }

// Where elements and values lie, in `out` or in scratch.
uvec2 vkp_out_keys(const bool in_out) {
  return mix(vkp_u64(vkp_push.other_base), vkp_u64(vkp_push.out_base), bvec2(in_out));
}

uvec2 vkp_out_values(const bool in_out) {
  return mix(vkp_u64(vkp_push.values_other), vkp_u64(vkp_push.values_out), bvec2(in_out));
}

#endif

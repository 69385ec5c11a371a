// Where a tile of the merge of two sequences in memory begins, found by one invocation or by a
// subgroup.
#ifndef VKPRIMS_MERGE_SORT_SPLIT_IN_MEMORY_GLSL
#define VKPRIMS_MERGE_SORT_SPLIT_IN_MEMORY_GLSL

#include "sort/merge_sort/elements.glsl"
#include "vkprims/subgroup/narrow.glsl"

layout(constant_id = VKP_MERGE_SORT_SPEC_BY_SUBGROUP) const bool vkp_by_subgroup = false;

// The merge that a tile is of: the sequences, the first elements of both, and how many elements of
// the merge come before the tile.
struct VkpMerge {
  bool any;  // whether there is such a tile
  uvec2 a_base, b_base;
  uvec2 a_first, b_first, a_count, b_count;
  uvec2 diagonal;
  uint places;  // which sequences they are
};

// Returns how many of the first `upto` elements of the merge, or of all if there are fewer, come
// from a (merge_path.glsl). Whatever the comparison says, the result is a legal split, and the
// search ends.
uvec2 vkp_split_in_memory(const VkpMerge m, const uvec2 upto) {
  const uvec2 a = vkp_address_of(m.a_base, m.a_first, VKP_BYTES), a_count = m.a_count;
  const uvec2 b = vkp_address_of(m.b_base, m.b_first, VKP_BYTES), b_count = m.b_count;
  const uvec2 diagonal = vkp_min64(upto, vkp_add64(a_count, b_count));
  uvec2 low = vkp_less64(b_count, diagonal) ? vkp_sub64(diagonal, b_count) : uvec2(0u);
  uvec2 high = vkp_min64(diagonal, a_count);
  const uvec2 b_last = vkp_sub64(diagonal, uvec2(1u, 0u));
  while (vkp_less64(low, high)) {
    uvec2 place = vkp_add64(low, vkp_shr64(vkp_sub64(high, low), 1u));
    if (vkp_by_subgroup) place = vkp_place_of_lane(low, high, gl_SubgroupInvocationID);
    const VkpItem x = vkp_load_item(vkp_address_of(a, place, VKP_BYTES));
    const VkpItem y = vkp_load_item(vkp_address_of(b, vkp_sub64(b_last, place), VKP_BYTES));
    const bool less = vkp_is_less(y, x);
    if (vkp_by_subgroup) {
      vkp_narrow(low, high, !less);
    } else {
      low = mix(vkp_add64(place, 1u), low, bvec2(less));
      high = mix(high, place, bvec2(less));
    }
  }
  return low;
}

#endif

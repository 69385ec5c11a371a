// Where a tile of the merge of two sequences in memory begins, found by one invocation.
#ifndef VKPRIMS_MERGE_SORT_SPLIT_IN_MEMORY_GLSL
#define VKPRIMS_MERGE_SORT_SPLIT_IN_MEMORY_GLSL

#include "sort/merge_sort/elements.glsl"

// Returns how many of the first `diagonal` elements of the merge come from a (merge_path.glsl).
// Whatever the comparison says, the result is a legal split, and the search ends.
uvec2 vkp_split_in_memory(const uvec2 a, const uvec2 a_count, const uvec2 b, const uvec2 b_count,
                          const uvec2 diagonal) {
  uvec2 low = vkp_less64(b_count, diagonal) ? vkp_sub64(diagonal, b_count) : uvec2(0u);
  uvec2 high = vkp_min64(diagonal, a_count);
  const uvec2 b_last = vkp_sub64(diagonal, uvec2(1u, 0u));
  while (vkp_less64(low, high)) {
    const uvec2 middle = vkp_add64(low, vkp_shr64(vkp_sub64(high, low), 1u));
    const VkpItem x = vkp_load_item(vkp_address_of(a, middle, VKP_BYTES));
    const VkpItem y = vkp_load_item(vkp_address_of(b, vkp_sub64(b_last, middle), VKP_BYTES));
    const bool less = vkp_is_less(y, x);
    low = mix(vkp_add64(middle, 1u), low, bvec2(less));
    high = mix(high, middle, bvec2(less));
  }
  return low;
}

#endif

// Where a tile of the merge of two sequences in memory begins, found by one invocation.
#ifndef VKPRIMS_MERGE_SORT_SPLIT_IN_MEMORY_GLSL
#define VKPRIMS_MERGE_SORT_SPLIT_IN_MEMORY_GLSL

#include "sort/merge_sort/elements.glsl"

// Returns how many of the first `diagonal` elements of the merge come from a (merge_path.glsl).
// Several places are examined at a time, as most of the time is spent waiting for one load after
// another. Whatever the comparison says, the result is a legal split, and the search ends.
uvec2 vkp_split_in_memory(const uvec2 a, const uvec2 a_count, const uvec2 b, const uvec2 b_count,
                      const uvec2 diagonal) {
  const uint places = 3u;
  uvec2 low = vkp_less64(b_count, diagonal) ? vkp_sub64(diagonal, b_count) : uvec2(0u);
  uvec2 high = vkp_min64(diagonal, a_count);
  while (vkp_less64(low, high)) {
    // The places cut low … high - 1 into equal parts, as far as there are so many.
    const uvec2 step = vkp_add64(vkp_shr64(vkp_sub64(high, low), 2u), 1u);
    VkpItem a_element[places], b_element[places];
    [[unroll]] for (uint i = 0u; i < places; ++i) {
      const uvec2 at = vkp_min64(vkp_add64(low, vkp_sub64(vkp_mul64(step, i + 1u), uvec2(1u, 0u))),
                                 vkp_sub64(high, uvec2(1u, 0u)));
      const uvec2 opposite = vkp_sub64(diagonal, vkp_add64(at, 1u));
      a_element[i] = vkp_load_item(vkp_address_of(a, at, VKP_BYTES));
      b_element[i] = vkp_load_item(vkp_address_of(b, opposite, VKP_BYTES));
    }
    uvec2 new_low = low, new_high = high;
    bool found = false;
    [[unroll]] for (uint i = 0u; i < places; ++i) {
      const uvec2 at = vkp_min64(vkp_add64(low, vkp_sub64(vkp_mul64(step, i + 1u), uvec2(1u, 0u))),
                                 vkp_sub64(high, uvec2(1u, 0u)));
      if (found) continue;
      if (vkp_is_less(b_element[i], a_element[i])) {
        new_high = at;
        found = true;
      } else {
        new_low = vkp_add64(at, 1u);
      }
    }
    low = new_low;
    high = new_high;
  }
  return low;
}

#endif

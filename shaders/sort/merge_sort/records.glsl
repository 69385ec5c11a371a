// Finds where the tiles of merges begin in two sequences, and records it for merge.comp.
//
// A workgroup records one tile less than it searches for: the last search finds where the last tile
// ends. An invocation searches for a tile or, if tiles are few, a subgroup does. Whatever the
// comparison says, a record never leaves the sequences.
#ifndef VKPRIMS_MERGE_SORT_RECORDS_GLSL
#define VKPRIMS_MERGE_SORT_RECORDS_GLSL

#include "sort/merge_sort/split_in_memory.glsl"
#include "vkprims/workgroup/shared_words.glsl"

const uint vkp_searches = vkp_by_subgroup ? VKP_MERGE_SORT_SUBGROUP_SEARCHES : gl_WorkGroupSize.x;
shared uvec2 vkp_splits[vkp_searches];

// The kernel defines this.
VkpMerge vkp_merge_of(const uvec2 tile);

// All invocations call this.
void vkp_record_tiles(const uint tile_items, const uvec2 records, const uint tiles) {
  const uvec2 first_tile = vkp_mul64(vkp_group_index(), vkp_searches - 1u);
  const uint begin = vkp_by_subgroup ? gl_SubgroupID : gl_LocalInvocationIndex;
  const uint step = vkp_by_subgroup ? gl_NumSubgroups : gl_WorkGroupSize.x;
  for (uint i = begin; i < vkp_searches; i += step) {
    const VkpMerge m = vkp_merge_of(vkp_add64(first_tile, i));
    uvec2 split = uvec2(0u);
    if (m.any) split = vkp_split_in_memory(m, m.diagonal);
    vkp_store_shared_word(vkp_splits[i].x, split.x);
    vkp_store_shared_word(vkp_splits[i].y, split.y);
  }
  barrier();
  const uint own = gl_LocalInvocationIndex;
  const uvec2 tile = vkp_add64(first_tile, own);
  if (own + 1u >= vkp_searches || !vkp_less64(tile, uvec2(tiles, 0u))) return;
  const VkpMerge m = vkp_merge_of(tile);
  const uvec2 items = vkp_add64(m.a_count, m.b_count);
  const uvec2 split = vkp_splits[own];
  const uint count = m.any ? vkp_clamped_difference(items, m.diagonal, tile_items) : 0u;
  // At the end of the merge all of a has been taken.
  const bool is_last = !vkp_less64(vkp_add64(m.diagonal, tile_items), items);
  const uvec2 end = is_last ? m.a_count : vkp_splits[own + 1u];
  const uint a = vkp_clamped_difference(end, split, count);
  const uvec2 record = vkp_add64(records, vkp_mul64(tile, VKP_MERGE_SORT_RECORD_BYTES));
  VkpWords4(record).v[0] = uvec4(vkp_add64(m.a_first, split),
                                 vkp_add64(m.b_first, vkp_sub64(m.diagonal, split)));
  VkpWords4(record).v[1] = uvec4(a, count, m.places, 0u);
}

#endif

// Merge sort, a merge of runs of few elements: every workgroup finds where its tile begins and ends
// in the two runs, and merges it. Two subgroups search at the same time, so that this takes less
// time than a dispatch that searches for all tiles before.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge_sort/merge_tile.glsl"
#include "sort/merge_sort/run_merges.glsl"
#include "vkprims/workgroup/shared_words.glsl"

// How many elements before the tile come from a, and how many before its end.
shared uvec2 vkp_splits[2];

void main() {
  const uvec2 number = uvec2(vkp_group_index(), 0u);
  const VkpMerge m = vkp_merge_of(number);
  // The workgroup returns as a whole, also where a count on the GPU leaves nothing for it.
  if (!m.any) return;
  for (uint i = gl_SubgroupID; i < 2u; i += gl_NumSubgroups) {
    const uvec2 split = vkp_split_in_memory(m, vkp_add64(m.diagonal, i * vkp_tile_items));
    vkp_store_shared_word(vkp_splits[i].x, split.x);
    vkp_store_shared_word(vkp_splits[i].y, split.y);
  }
  barrier();
  const uvec2 split = vkp_splits[0], end = vkp_splits[1];
  VkpTile tile;
  tile.count =
      vkp_clamped_difference(vkp_add64(m.a_count, m.b_count), m.diagonal, vkp_tile_items);
  tile.a = vkp_clamped_difference(end, split, tile.count);
  const bool from_out = m.places != 0u;
  const uvec2 a_first = vkp_add64(m.a_first, split);
  // This may wrap, and wraps back.
  const uvec2 b_first =
      vkp_sub64(vkp_add64(m.b_first, vkp_sub64(m.diagonal, split)), uvec2(tile.a, 0u));
  const uvec2 out_first = vkp_add64(m.a_first, m.diagonal);
  tile.keys_a = vkp_address_of(m.a_base, a_first, VKP_BYTES);
  tile.keys_b = vkp_address_of(m.b_base, b_first, VKP_BYTES);
  tile.keys_out = vkp_address_of(vkp_out_keys(!from_out), out_first, VKP_BYTES);
  const uint bytes = 4u * vkp_value_words;
  tile.values_a = vkp_address_of(vkp_out_values(from_out), a_first, bytes);
  tile.values_b = vkp_address_of(vkp_out_values(from_out), b_first, bytes);
  tile.values_out = vkp_address_of(vkp_out_values(!from_out), out_first, bytes);
  vkp_merge_tile(tile);
}

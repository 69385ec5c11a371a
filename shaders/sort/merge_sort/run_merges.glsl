// The merges of neighbouring runs in a pass of a merge sort.
#ifndef VKPRIMS_MERGE_SORT_RUN_MERGES_GLSL
#define VKPRIMS_MERGE_SORT_RUN_MERGES_GLSL

#include "sort/merge_sort/runs.glsl"
#include "sort/merge_sort/split_in_memory.glsl"

// The merge of two runs that a tile comes from.
VkpMerge vkp_merge_of(const uvec2 number) {
  const uvec2 count = vkp_read_count(vkp_push.count);
  const uint passes = vkp_passes_of(count);
  const bool from_out = vkp_is_in_out(vkp_push.pass_number, passes);
  VkpMerge m;
  m.any = vkp_push.pass_number < passes &&
          vkp_less64(vkp_mul64(number, vkp_push.tile_items), count);
  const uint tile = m.any ? number.x : 0u;
  const uint shift = vkp_push.pass_number;
  const uint first_tile = tile >> shift >> 1u << 1u << shift;
  const uvec2 run = vkp_shl64(uvec2(vkp_push.tile_items, 0u), vkp_push.pass_number);
  m.a_base = vkp_out_keys(from_out);
  m.b_base = m.a_base;
  m.a_first = vkp_mul64(first_tile, vkp_push.tile_items);
  const uvec2 left = vkp_sub64(count, m.a_first);
  m.a_count = vkp_min64(run, left);
  m.b_first = vkp_add64(m.a_first, m.a_count);
  m.b_count = vkp_min64(run, vkp_sub64(left, m.a_count));
  m.diagonal = vkp_mul64(tile - first_tile, vkp_push.tile_items);
  m.places = from_out ? 1u : 0u;
  return m;
}

#endif

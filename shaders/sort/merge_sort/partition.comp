// Merge sort, before each merge of runs: finds where its tiles begin in their two runs.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge_sort/records.glsl"
#include "sort/merge_sort/runs.glsl"

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

void main() {
  vkp_record_tiles(vkp_push.tile_items, vkp_u64(vkp_push.records), vkp_push.tiles);
}

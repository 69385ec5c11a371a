// Merge sort and merge by a comparison of the application's own: every workgroup merges one tile of
// the output, of which an earlier dispatch has found where it begins in both sequences.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge_sort/merge_tile.glsl"

layout(push_constant) uniform VkpPush { MergeTilesPush vkp_push; };

uvec2 vkp_base(const VkpU64 x0, const VkpU64 x1, const uint which) {
  return mix(vkp_u64(x0), vkp_u64(x1), bvec2(which != 0u));
}

void main() {
  const uint number = vkp_group_index();
  // The workgroup returns as a whole, also where a count on the GPU leaves nothing for it.
  if (number >= vkp_push.tiles) return;
  const uvec2 record =
      vkp_add64(vkp_u64(vkp_push.records), vkp_mul64(number, VKP_MERGE_SORT_RECORD_BYTES));
  const uvec4 first = VkpWords4(record).v[0];
  const uvec4 rest = VkpWords4(record).v[1];
  VkpTile tile;
  tile.a = rest.x;
  tile.count = rest.y;
  if (tile.count == 0u) return;
  const uvec2 b = vkp_sub64(first.zw, uvec2(tile.a, 0u));  // may wrap, and wraps back
  const uvec2 out_first = vkp_mul64(number, vkp_tile_items);
  const MergePlaces p = vkp_push.places0, q = vkp_push.places1;
  tile.keys_a = vkp_address_of(vkp_base(p.a, q.a, rest.z), first.xy, VKP_BYTES);
  tile.keys_b = vkp_address_of(vkp_base(p.b, q.b, rest.z), b, VKP_BYTES);
  tile.keys_out = vkp_address_of(vkp_base(p.out_base, q.out_base, rest.z), out_first, VKP_BYTES);
  const uint bytes = 4u * vkp_value_words;
  tile.values_a = vkp_address_of(vkp_base(p.a_values, q.a_values, rest.z), first.xy, bytes);
  tile.values_b = vkp_address_of(vkp_base(p.b_values, q.b_values, rest.z), b, bytes);
  tile.values_out =
      vkp_address_of(vkp_base(p.out_values, q.out_values, rest.z), out_first, bytes);
  vkp_merge_tile(tile);
}

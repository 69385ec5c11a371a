// Merge by a comparison of the application's own, first dispatch: finds where the tiles of the
// output begin in a and b. The second is merge_sort/merge.comp.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge/merge.abi.h"
#include "sort/merge_sort/records.glsl"

layout(push_constant) uniform VkpPush { MergePush vkp_push; };

VkpMerge vkp_merge_of(const uvec2 tile) {
  VkpMerge m;
  m.a_base = vkp_u64(vkp_push.a_base);
  m.b_base = vkp_u64(vkp_push.b_base);
  m.a_first = uvec2(0u);
  m.b_first = uvec2(0u);
  m.a_count = vkp_read_count(vkp_push.a_count);
  m.b_count = vkp_read_count(vkp_push.b_count);
  m.diagonal = vkp_mul64(tile, vkp_push.tile_items);
  m.any = vkp_less64(m.diagonal, vkp_add64(m.a_count, m.b_count));
  m.places = 0u;
  return m;
}

void main() {
  if (vkp_group_index() == 0u && gl_LocalInvocationIndex == 0u) {
    const uvec2 total =
        vkp_add64(vkp_read_count(vkp_push.a_count), vkp_read_count(vkp_push.b_count));
    const uvec2 address = vkp_u64(vkp_push.count_out);
    if (address != uvec2(0u)) VkpWords2(address).v[0] = total;
    VkpWords2(vkp_add64(vkp_u64(vkp_push.scratch), VKP_MERGE_TOTAL_OFFSET)).v[0] = total;
  }
  vkp_record_tiles(vkp_push.tile_items,
                   vkp_add64(vkp_u64(vkp_push.scratch), VKP_MERGE_SPLITS_OFFSET), vkp_push.tiles);
}

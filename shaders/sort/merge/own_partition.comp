// Merge by a comparison of the application's own, first dispatch: finds where the tiles of the
// output begin in a and b. The second is merge_sort/merge.comp.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge/merge.abi.h"
#include "sort/merge_sort/records.glsl"

layout(push_constant) uniform VkpPush { MergePush vkp_push; };

void main() {
  const uvec2 a = vkp_read_count(vkp_push.a_count);
  const uvec2 b = vkp_read_count(vkp_push.b_count);
  const uvec2 total = vkp_add64(a, b);
  const uvec2 number = vkp_own_tile();
  if (number == uvec2(0u)) {
    const uvec2 address = vkp_u64(vkp_push.count_out);
    if (address != uvec2(0u)) VkpWords2(address).v[0] = total;
    VkpWords2(vkp_add64(vkp_u64(vkp_push.scratch), VKP_MERGE_TOTAL_OFFSET)).v[0] = total;
  }
  VkpMerge m;
  m.a_base = vkp_u64(vkp_push.a_base);
  m.b_base = vkp_u64(vkp_push.b_base);
  m.a_first = uvec2(0u);
  m.b_first = uvec2(0u);
  m.a_count = a;
  m.b_count = b;
  m.diagonal = vkp_mul64(number, vkp_push.tile_items);
  m.places = 0u;
  vkp_record_tile(m, number.y == 0u ? number.x : ~0u, vkp_less64(m.diagonal, total),
                  vkp_push.tile_items,
                  vkp_add64(vkp_u64(vkp_push.scratch), VKP_MERGE_SPLITS_OFFSET), vkp_push.tiles);
}

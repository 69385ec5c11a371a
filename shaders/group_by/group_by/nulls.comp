// Writes 1 for each row that is null in a column, and 0 for the others, in the order that the rows
// have so far. In further columns, rows that are null in an earlier one stay so.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#define VKP_VALUE_word
#include "group_by/group_by/column.glsl"

layout(push_constant) uniform Push { GroupByColumnPush push; };

void main() {
  const uint rows = vkp_read_count(push.rows).x;
  const uint begin = vkp_group_index() * VKP_GROUP_BY_TILE + gl_LocalInvocationIndex;
  uint kept = 0u;
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    const uint i = begin + k * VKP_GROUP_BY_WORKGROUP;
    if (i >= rows) continue;
    bool null = !is_valid(vkp_u64(push.validity), load_word(vkp_u64(push.order), i));
    if (further) null = null || load_word(vkp_u64(push.result), i) != 0u;
    store_word(vkp_u64(push.result), i, uint(null));
    if (!null) ++kept;
  }
  if ((flags & VKP_GROUP_BY_KEPT) == 0u) return;
  const uint all = subgroupAdd(kept);
  if (all != 0u && subgroupElect()) atomicAdd(VkpSharedWords(vkp_u64(push.counts)).v[0], all);
}

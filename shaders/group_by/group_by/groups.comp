// Writes where each group begins, its key in one column, and how many groups there are. There is
// one dispatch for each column that is wanted; the first one writes where groups begin.
// %VARIANT% VALUE word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/column.glsl"
#include "group_by/group_by/tile.glsl"
#include "vkprims/memory/report.glsl"

layout(push_constant) uniform Push { GroupByGroupsPush push; };

// The rows of the tile in which groups begin, so that neighbours write what neighbours read.
shared uint first_rows[VKP_GROUP_BY_TILE];

void finish(const uint groups, const uint rows) {
  if ((flags & VKP_GROUP_BY_TRIED) != 0u &&
      VkpWords(vkp_add64(vkp_u64(push.header), VKP_GROUP_BY_DONE_OFFSET)).v[0] != 0u) {
    return;
  }
  const uvec2 all = uvec2(groups, 0u);
  const uvec2 capacity = vkp_u64(push.capacity);
  VkpWords2(vkp_u64(push.group_count)).v[0] = all;
  VkpWords2(vkp_add64(vkp_u64(push.header), VKP_GROUP_BY_GROUPS_OFFSET)).v[0] =
      vkp_min64(all, capacity);
  if (!vkp_less64(capacity, all)) {
    store_word(vkp_u64(push.offsets), groups, rows);
    return;
  }
  vkp_report(vkp_u64(push.report), VKP_REPORT_CAPACITY_EXCEEDED, capacity, groups - capacity.x);
  if (vkp_u64(push.report) != uvec2(0u)) {
    atomicMax(VkpSharedWords(vkp_u64(push.report)).v[VKP_REPORT_NEEDED], groups);
  }
}

// Stores where a group begins, and its key.
void store_group(const uint group, const uint i) {
  if (!further && group <= push.capacity.lo) store_word(vkp_u64(push.offsets), group, i);
  if (group >= push.capacity.lo || vkp_u64(push.out_keys) == uvec2(0u)) return;
  uint row = i;
  if (ordered) row = load_word(vkp_u64(push.order), i);
  store_bits(vkp_u64(push.out_keys), group, load_bits(vkp_u64(push.column), row));
}

// Stores the groups that begin in a tile, `before` of which begin before it.
void store_groups(const Heads heads, const uint before, const uint begin) {
  uint place = heads.before;
  const uint first =
      (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID) * VKP_GROUP_BY_ROWS;
  [[dont_unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    if ((heads.bits >> k & 1u) != 0u) first_rows[place++] = first + k;
  }
  barrier();
  [[dont_unroll]] for (uint i = 0u; i < heads.all; i += gl_WorkGroupSize.x) {
    const uint own = i + gl_LocalInvocationIndex;
    if (own < heads.all) store_group(before + own, begin + first_rows[own]);
  }
}

void main() {
  const uint rows = vkp_read_count(push.rows).x;
  const uint tile = vkp_group_index();
  const uint begin = tile * VKP_GROUP_BY_TILE;
  if (begin >= rows) {
    if (rows == 0u && tile == 0u && gl_LocalInvocationIndex == 0u && !further) finish(0u, 0u);
    return;
  }
  const Heads heads = heads_of_tile(vkp_u64(push.heads), tile, 0u);
  uint before = 0u;
  if (tile != 0u) before = load_word(vkp_u64(push.counts), tile - 1u);
  if (heads.all != 0u) store_groups(heads, before, begin);
  if (!further && rows - begin <= VKP_GROUP_BY_TILE && gl_LocalInvocationIndex == 0u) {
    finish(before + heads.all, rows);
  }
}

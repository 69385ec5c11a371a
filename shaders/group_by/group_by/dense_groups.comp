// Makes groups of the slots that have rows, if no key lies outside the window. One workgroup does
// it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/dense.glsl"
#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/memory/report.glsl"

layout(push_constant) uniform Push { GroupByDenseGroupsPush push; };

shared uint groups_of_subgroup[VKP_GROUP_BY_WORKGROUP / 4];
const uint VALID_WORDS = VKP_GROUP_BY_DENSE_MOST_SLOTS / 32;
shared uint valid[VALID_WORDS];  // bits of groups that have numbers, not NaN alone

void store_word(const uvec2 base, const uint i, const uint x) {
  if (base != uvec2(0u)) VkpWords(vkp_add64(base, vkp_mul64(i, 4u))).v[0] = x;
}

uint value_bits(uint key) {
  if (kind == VKP_GROUP_BY_SIGNED) return key ^ 0x80000000u;
  if (is_float) return key ^ (uint(int(~key) >> 31) | 0x80000000u);
  return key;
}

void store_group(uint group, uint key, Slot x) {
  store_word(vkp_u64(push.out_keys), group, key ^ push.flip);
  store_word(vkp_u64(push.rows), group, x.rows);
  store_word(vkp_u64(push.count), group, x.rows);
  if (is_float) {
    store_word(vkp_u64(push.sum), group, x.sum.x);
  } else if (vkp_u64(push.sum) != uvec2(0u)) {
    VkpWords2(vkp_add64(vkp_u64(push.sum), vkp_mul64(group, 8u))).v[0] = x.sum;
  }
  store_word(vkp_u64(push.low), group, value_bits(x.low));
  store_word(vkp_u64(push.high), group, value_bits(x.high));
}

void main() {
  const uvec2 header = vkp_u64(push.header);
  if (vkp_group_index() != 0u) return;
  if (header_word(header, VKP_GROUP_BY_DENSE_ROWS_OFFSET) == 0u) {
    if (push.alone != 0u && gl_LocalInvocationIndex == 0u) {
      VkpWords2(vkp_u64(push.group_count)).v[0] = uvec2(0u);
    }
    return;
  }
  if (header_word(header, VKP_GROUP_BY_MISSED_OFFSET) != 0u) return;
  const uint window = header_word(header, VKP_GROUP_BY_WINDOW_OFFSET);
  const uint own = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  if (own < VALID_WORDS) valid[own] = 0u;
  uint groups = 0u;  // groups so far
  [[dont_unroll]] for (uint first = 0u; first < slots; first += VKP_GROUP_BY_WORKGROUP) {
    const Slot x = load_slot(vkp_u64(push.totals), slots, first + own);
    const uint is_group = x.rows != 0u ? 1u : 0u;
    const uint upto = vkp_sum_upto_lane(is_group);
    barrier();
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) groups_of_subgroup[gl_SubgroupID] = upto;
    barrier();
    uint group = groups + upto - is_group;
    [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
      const uint others = groups_of_subgroup[i];
      if (i < gl_SubgroupID) group += others;
      groups += others;
    }
    if (is_group != 0u && vkp_less64(uvec2(group, 0u), vkp_u64(push.capacity))) {
      store_group(group, window + first + own, x);
      if (x.low <= x.high) atomicOr(valid[group / 32u], 1u << group % 32u, gl_ScopeWorkgroup, 0, 0);
    }
  }
  barrier();
  if (own < VALID_WORDS) store_word(vkp_u64(push.valid), own, valid[own]);
  if (own != 0u) return;
  VkpWords2(vkp_u64(push.group_count)).v[0] = uvec2(groups, 0u);
  set_header(header, VKP_GROUP_BY_SORT_ROWS_OFFSET, uvec2(0u));
  set_header(header, VKP_GROUP_BY_DONE_OFFSET, 1u);
  const uvec2 capacity = vkp_u64(push.capacity);
  set_header(header, VKP_GROUP_BY_DENSE_GROUPS_OFFSET, vkp_min64(uvec2(groups, 0u), capacity));
  if (!vkp_less64(capacity, uvec2(groups, 0u)) || vkp_u64(push.report) == uvec2(0u)) return;
  vkp_report(vkp_u64(push.report), VKP_REPORT_CAPACITY_EXCEEDED, capacity, groups - capacity.x);
  atomicMax(VkpSharedWords(vkp_u64(push.report)).v[VKP_REPORT_NEEDED], groups);
}

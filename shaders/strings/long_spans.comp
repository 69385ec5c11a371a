// Of texts that overlap themselves: what comes of each entry of a span of parts (part_numbers.glsl). A subgroup for each span
// that has parts of one row alone, an entry for each lane.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/part_numbers.glsl"

bool is_of_one_row(uint first) {
  const uint row = row_of_milestone(rows_table(), first);
  bool differs = row == VKP_NO_ROW;
  for (uint i = gl_SubgroupInvocationID; i < VKP_STRINGS_SPAN_PARTS; i += gl_SubgroupSize) {
    if (row_of_milestone(rows_table(), first + i) != row) differs = true;
  }
  return !vkp_any_lane(differs);
}

void main() {
  const VkpText what = scalar_text();
  const uint spans = milestone_count() / VKP_STRINGS_SPAN_PARTS;
  const uint teams = gl_NumWorkGroups.x * gl_NumSubgroups;
  for (uint span = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID; span < spans; span += teams) {
    const uint k = span * VKP_STRINGS_SPAN_PARTS;
    if (!is_of_one_row(k)) continue;
    for (uint first = 0u; first < what.bytes; first += gl_SubgroupSize) {
      const uint own = first + gl_SubgroupInvocationID;
      uint entry = min(own, what.bytes - 1u);
      uint n = 0u;
      for (uint i = 0u; i < VKP_STRINGS_SPAN_PARTS; ++i) {
        follow(VkpWords(ways_at(k + i, what.bytes)).v[entry], n, entry);
      }
      if (own < what.bytes) VkpWords(span_ways_at(span, what.bytes)).v[own] = way_of(n, entry);
    }
  }
}

// What is asked of long rows, of each part: long_rows.glsl. A subgroup for each, and there may be many more milestones than
// parts: the lanes look at a table's words together, and their subgroup does the parts that they have found.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/part_numbers.glsl"

// An entry for each lane.
void store_ways(uint k, VkpText t, VkpText what, uint begin, uint end) {
  uint marks[MOST_TURNS];
  marks_of_part(t, what, begin, end, false, marks);
  for (uint first = 0u; first < what.bytes; first += gl_SubgroupSize) {
    const uint entry = first + gl_SubgroupInvocationID;
    uint next = begin + entry;
    uint n = 0u;
    walk_part(t, false, marks, what, begin, end, next, n);
    if (entry < what.bytes) VkpWords(ways_at(k, what.bytes)).v[entry] = way_of(n, max(next, end) - end);
  }
}

void do_part(uint k, uint row) {
  const VkpText t = vkp_row_text(push.a, row);
  const VkpText what = text_for(row);
  if (!is_for_team(t, what)) return;
  const Milestones m = milestones_of_row(push.a, t);
  uint begin, end;
  part_of_row(t, m, k - m.first, begin, end);
  uint before = 0u;
  if (in_window()) before = VkpWords(before_at(k)).v[0];
  const Finding x = finding_of_part(t, what, begin, end, before, false);
  if (gl_SubgroupInvocationID == 0u) VkpWords2(finding_at(k)).v[0] = uvec2(x.found, x.n);
  if (has_entries(what)) store_ways(k, t, what, begin, end);
}

void main() {
  const uint milestones = milestone_count();
  const uint teams = gl_NumWorkGroups.x * gl_NumSubgroups;
  const uint own = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
  // Neighbours are done by neighbours at the same time.
  for (uint first = own; first < milestones; first += teams * gl_SubgroupSize) {
    const uint k = first + teams * gl_SubgroupInvocationID;
    uint row = VKP_NO_ROW;
    if (k < milestones) row = row_of_milestone(rows_table(), k);
    if (!vkp_any_lane(row != VKP_NO_ROW)) continue;
    for (uint lane = 0u; lane < gl_SubgroupSize; ++lane) {
      const uint row_of_lane = subgroupShuffle(row, lane);
      if (row_of_lane != VKP_NO_ROW) do_part(first + teams * lane, row_of_lane);
    }
  }
}

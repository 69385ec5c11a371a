// The row of each milestone of a column: long_rows.glsl. An invocation for each, by binary search.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_rows.glsl"

layout(push_constant) uniform Push { LongRowsPush push; };

// The last row that begins at byte `at` or before; 0 if none does. Offsets may be in no order.
uint row_at(uvec2 at) {
  uint low = 0u;
  uint high = push.rows;
  while (high - low > 1u) {
    const uint middle = low + (high - low) / 2u;
    uvec2 begin, end;
    vkp_row_offsets(push.column, middle, begin, end);
    if (vkp_less64(at, begin)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

void main() {
  const uint milestones = milestones_of(push.column);
  const uint k = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (k >= milestones || push.rows == 0u) return;
  const uvec2 at = vkp_mul64(k, VKP_STRINGS_PART_BYTES);
  const uint row = row_at(at);
  const VkpText t = vkp_row_text(push.column, row);
  // Bytes of the row before the milestone, which wrap around where it begins behind.
  const uvec2 before = vkp_sub64(at, vkp_sub64(t.at, vkp_u64(push.column.chars)));
  const bool within = before.y == 0u && before.x < t.bytes;
  const bool found = within && is_long(t) && vkp_valid(push.column, row);
  VkpWords(vkp_add64(vkp_u64(push.table), vkp_mul64(k, 4u))).v[0] = found ? row : VKP_NO_ROW;
}

// Computes the key of each row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/argsort.glsl"
#include "strings/interned/interned.glsl"

void main() {
  const uint row = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (row >= push.rows) return;
  VkpWords2(pair_at(vkp_u64(push.keys), row)).v[0] = key_of(row, 0);
  if (vkp_u64(push.interned) != uvec2(0u)) {
    check_row_offsets(push.column, vkp_u64(push.interned), row);
  }
}

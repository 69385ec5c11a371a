// Computes the key of each row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/argsort.glsl"
#include "strings/interned/interned.glsl"

void main() {
  const uint row = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (row >= push.rows) return;
  VkpWords2(pair_at(vkp_u64(push.keys), row)).v[0] = key_of(row, 0);
  const uvec2 interned = vkp_u64(push.interned);
  if (interned == uvec2(0u)) return;
  check_row_offsets(push.column, interned, row);
  if (vkp_row_text(push.column, row).bytes >= VKP_INTERNED_LONG_BYTES) note_some_long_row(interned);
}

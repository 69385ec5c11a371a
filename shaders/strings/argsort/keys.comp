// The key of each row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/argsort.glsl"

void main() {
  const uint row = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (row < push.rows) VkpWords2(pair_at(vkp_u64(push.keys), row)).v[0] = key_of(row, 0);
}

// Writes whether the key of each group is valid, that is, not null, in a column. An invocation
// writes a word of 32 groups.
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_VALUE_word
#include "group_by/group_by/column.glsl"

layout(push_constant) uniform Push { GroupByRowsPush push; };

void main() {
  const uint groups = vkp_read_count(push.groups).x;
  const uint word = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (word > 0x7ffffffu || word * 32u >= groups) return;
  uint bits = 0u;
  [[dont_unroll]] for (uint k = 0u; k < 32u; ++k) {
    const uint group = word * 32u + k;
    if (group >= groups) continue;
    const uint row = load_word(vkp_u64(push.order), load_word(vkp_u64(push.offsets), group));
    if (is_valid(vkp_u64(push.validity), row)) bits |= 1u << k;
  }
  store_word(vkp_u64(push.result), word, bits);
}

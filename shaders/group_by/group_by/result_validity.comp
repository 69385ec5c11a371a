// Writes which groups have a result, a bit for each: the bits of another result of the same values,
// or all set. An invocation writes a word of 32 groups; the bits behind the last group are 0.
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_VALUE_word
#include "group_by/group_by/column.glsl"

layout(push_constant) uniform Push { GroupByRowsPush push; };

void main() {
  const uint groups = vkp_read_count(push.groups).x;
  const uint word = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (word > 0x7ffffffu || word * 32u >= groups) return;
  const uint left = groups - word * 32u;
  uint bits = left < 32u ? (1u << left) - 1u : 0xffffffffu;
  if (vkp_u64(push.validity) != uvec2(0u)) bits &= load_word(vkp_u64(push.validity), word);
  store_word(vkp_u64(push.result), word, bits);
}

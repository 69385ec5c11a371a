// Writes how many rows each group has.
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_VALUE_word
#include "group_by/group_by/column.glsl"

layout(push_constant) uniform Push { GroupByRowsPush push; };

void main() {
  const uint groups = vkp_read_count(push.groups).x;
  const uint first = vkp_group_index() * gl_WorkGroupSize.x * VKP_GROUP_BY_SIZES;
  const uvec2 offsets = vkp_u64(push.offsets);
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_SIZES; ++k) {
    const uint group = first + k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (group >= groups) continue;
    store_word(vkp_u64(push.result), group,
               load_word(offsets, group + 1u) - load_word(offsets, group));
  }
}

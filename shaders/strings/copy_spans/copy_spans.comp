// Copies spans of long texts (spans.glsl): a workgroup takes some of them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/spans.glsl"
#include "vkprims/strings/units.glsl"

void main() {
  const uint spans = vkp_arguments().v.spans_taken;
  for (uint i = gl_WorkGroupID.x; i < spans; i += gl_NumWorkGroups.x) {
    VkpWords entry = VkpWords(vkp_span_address(i));
    const uvec2 from = uvec2(entry.v[0], entry.v[1]);
    const uvec2 to = uvec2(entry.v[2], entry.v[3]);
    vkp_store_copy(to, from, 1u << vkp_arguments().v.span_shift);
  }
}

// Puts the rows of sorted records into the positions that these rows had between them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/argsort.glsl"

void main() {
  const uint tied = tied_rows();
  const uvec2 records = records_before(merge_passes(tied));
  [[unroll]] for (uint i = 0u; i < VKP_ARGSORT_ITEMS; ++i) {
    const uint number =
        vkp_group_index() * VKP_ARGSORT_TILE + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (number < tied) {
      const uint position = VkpWords(word_at(vkp_u64(push.positions), number)).v[0];
      VkpWords(word_at(vkp_u64(push.order), position)).v[0] =
          VkpWords(record_at(records, number)).v[3];
    }
  }
}

// Finds whether keys seem to lie in a window, and where it is, from samples or from a bound. One
// workgroup does it.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/dense.glsl"

layout(push_constant) uniform Push { GroupByDensePush push; };

const uint SAMPLES = 32;  // samples of an invocation
shared uint least, greatest;

void main() {
  if (vkp_group_index() != 0u) return;
  const uint rows = vkp_read_count(push.rows).x;
  if (gl_LocalInvocationIndex == 0u) {
    least = 0xffffffffu;
    greatest = 0u;
  }
  barrier();
  if (rows != 0u && push.bound == 0u) {
    const uint all = SAMPLES * gl_WorkGroupSize.x;
    uint low = 0xffffffffu;
    uint high = 0u;
    [[unroll]] for (uint k = 0u; k < SAMPLES; ++k) {
      const uint sample_number = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      // Sampled rows lie at equal distances, each a little further on in its part, so that no
      // period of the data is in step with them.
      const uvec2 scaled = vkp_mul64(rows, sample_number);
      const uint part = max(rows / all, 1u);
      const uint row = min(
          vkp_shr64(scaled, uint(findMSB(all))).x + sample_number * 2654435761u % part, rows - 1u);
      const uint key = VkpWords(vkp_add64(vkp_u64(push.keys), vkp_mul64(row, 4u))).v[0] ^ push.flip;
      low = min(low, key);
      high = max(high, key);
    }
    atomicMin(least, low);
    atomicMax(greatest, high);
  }
  barrier();
  if (gl_LocalInvocationIndex != 0u) return;
  const uvec2 header = vkp_u64(push.header);
  const uint range = push.bound != 0u ? push.bound - 1u : greatest - least;
  const uint used = range < VKP_GROUP_BY_DENSE_LEAST_SLOTS ? VKP_GROUP_BY_DENSE_LEAST_SLOTS : slots;
  const bool dense = rows != 0u && range < used;
  uint begin = 0u;
  if (dense && push.bound == 0u) {
    // There is room on both sides for keys that are not among the samples.
    begin = min(least - min(least, (used - 1u - range) / 2u), 0u - used);
  }
  set_header(header, VKP_GROUP_BY_SLOTS_OFFSET, used);
  set_header(header, VKP_GROUP_BY_SORT_ROWS_OFFSET, uvec2(rows, 0u));
  set_header(header, VKP_GROUP_BY_DENSE_ROWS_OFFSET, uvec2(dense ? rows : 0u, 0u));
  set_header(header, VKP_GROUP_BY_GROUPS_OFFSET, uvec2(0u));
  set_header(header, VKP_GROUP_BY_DENSE_GROUPS_OFFSET, uvec2(0u));
  set_header(header, VKP_GROUP_BY_WINDOW_OFFSET, begin);
  set_header(header, VKP_GROUP_BY_MISSED_OFFSET, 0u);
  set_header(header, VKP_GROUP_BY_DONE_OFFSET, 0u);
}

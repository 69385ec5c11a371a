// Spans: parts of long texts that the tile that has them does not copy. The tile leaves them to a
// later dispatch (copy_spans.comp), whose workgroups share them, so that no workgroup is busy with
// one row for long.
//
// The list of spans is in no order, as each tile takes the next free places. No two spans have a
// byte of the result in common, so there are never more of them than the result has room for.
#ifndef VKPRIMS_STRINGS_SPANS_GLSL
#define VKPRIMS_STRINGS_SPANS_GLSL

#include "vkprims/strings/strings.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer VkpSpanCountAt {
  nonprivate uint v;
};

uvec2 vkp_span_address(uint i) {
  return vkp_add64(vkp_u64(vkp_arguments().v.spans), VKP_STRINGS_SPAN_BYTES * i);
}

// The atomic is relaxed, as only later dispatches read the count.
uint vkp_take_spans(uint count) {
  VkpSpanCountAt taken =
      VkpSpanCountAt(vkp_add64(vkp_u64(vkp_push.scratch), VKP_STRINGS_SPANS_TAKEN_OFFSET));
  return atomicAdd(taken.v, count, gl_ScopeQueueFamily, 0, 0);
}

// Leaves to the later dispatch as many whole spans as there is room for of the bytes at `at`, which
// go to `position` of the result. Returns the number of first bytes that the caller need no longer
// copy. It is called by a team of invocations, one of which `writes`.
uint vkp_leave_spans(uvec2 position, uvec2 at, uint bytes, bool writes) {
  if (VKP_NO_LONG_ROWS || vkp_u64(vkp_arguments().v.spans) == uvec2(0u)) return 0u;
  const uint shift = vkp_arguments().v.span_shift;
  const uint spans = vkp_clamped_difference(vkp_u64(vkp_push.capacity), position, bytes) >> shift;
  if (spans < 2u) return 0u;
  if (writes) {
    const uint first = vkp_take_spans(spans);
    for (uint i = 0u; i < spans; ++i) {
      VkpWords entry = VkpWords(vkp_span_address(first + i));
      const uvec2 from = vkp_add64(at, i << shift);
      const uvec2 to = vkp_add64(position, i << shift);
      entry.v[0] = from.x;
      entry.v[1] = from.y;
      entry.v[2] = to.x;
      entry.v[3] = to.y;
    }
  }
  return spans << shift;
}

#endif

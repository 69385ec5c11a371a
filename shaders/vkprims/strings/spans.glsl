// Spans: parts of long texts that the tile which has them does not copy. It leaves them to a dispatch behind
// (copy_spans.comp), whose workgroups share them: so nobody is busy with one row for long.
//
// The list of spans is not in order, as each tile takes the places behind those that are taken. No two spans have a byte of the result in common, so there are no more than the result has room for.
#ifndef STRINGS_SPANS_GLSL
#define STRINGS_SPANS_GLSL

#include "vkprims/strings/strings.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer SpanCountAt {
  nonprivate uint v;
};

uvec2 span_address(uint i) { return vkp_add64(vkp_u64(arguments().v.spans), VKP_STRINGS_SPAN_BYTES * i); }

// (Relaxed, as only later dispatches read it.)
uint take_spans(uint count) {
  SpanCountAt taken = SpanCountAt(vkp_add64(vkp_u64(push.scratch), VKP_STRINGS_SPANS_TAKEN_OFFSET));
  return atomicAdd(taken.v, count, gl_ScopeQueueFamily, 0, 0);
}

// Leaves as many whole spans of the bytes at `at`, which go to `position` of the result, to the dispatch behind as there is room
// for; returns of how many bytes the caller need not think any more, the first ones. Called by a team, one of whom `writes`.
uint leave_spans(uvec2 position, uvec2 at, uint bytes, bool writes) {
  if (VKP_NO_LONG_ROWS || vkp_u64(arguments().v.spans) == uvec2(0u)) return 0u;
  const uint shift = arguments().v.span_shift;
  const uint spans = vkp_clamped_difference(vkp_u64(push.capacity), position, bytes) >> shift;
  if (spans < 2u) return 0u;
  if (writes) {
    const uint first = take_spans(spans);
    for (uint i = 0u; i < spans; ++i) {
      VkpWords entry = VkpWords(span_address(first + i));
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

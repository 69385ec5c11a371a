// Runs of elements across a workgroup: an invocation has a chunk, in the order of subgroups and lanes.
#ifndef VKPRIMS_ROLLING_STRIP_GLSL
#define VKPRIMS_ROLLING_STRIP_GLSL

#include "rolling/input.glsl"
#include "vkprims/workgroup.glsl"

uint own_chunk() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// The own chunk of `items` elements from `first` on; the identity in place of others.
void load_strip(uvec2 first, uint items, uvec2 n, out Window x[chunk]) {
  const uvec2 end = vkp_add64(first, items);
  n = (end.y & 0x80000000u) != 0u ? uvec2(0u) : vkp_min64(n, end);
  stage_elements(first, gl_WorkGroupSize.x * chunk, n);
  const uint own = own_chunk();
  const uvec2 begin = vkp_add64(first, own * chunk);
  const Marks marks = marks_of(begin, n);
  [[unroll]] for (uint k = 0u; k < chunk; ++k) x[k] = window_of(stage[own * pitch + k], begin, k, marks);
}

Window fold_chunk(Window x[chunk]) {
  Window fold = x[0];
  [[unroll]] for (uint k = 1u; k < chunk; ++k) fold = vkp_combine(fold, x[k]);
  return fold;
}

// The fold of x of all invocations before this one, and of all behind it. To be called by all.
struct Around {
  Window before, behind;
};

Around fold_around(Window x) {
  const uint lane = gl_SubgroupInvocationID, last = gl_SubgroupSize - 1u;
  Window prefix = x, suffix = x;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const Window left = vkp_shuffle(prefix, lane - min(lane, distance));
    const Window right = vkp_shuffle(suffix, min(lane + distance, last));
    if (lane >= distance) prefix = vkp_combine(left, prefix);
    if (lane + distance <= last) suffix = vkp_combine(suffix, right);
  }
  Around around = Around(vkp_shuffle(prefix, max(lane, 1u) - 1u), vkp_shuffle(suffix, min(lane + 1u, last)));
  if (lane == 0u) around.before = vkp_identity();
  if (lane == last) around.behind = vkp_identity();
  // The first barrier keeps earlier readers of partials apart from these writes.
  barrier();
  if (lane == last) vkp_store_partial(gl_SubgroupID, prefix);
  barrier();
  Window before = vkp_identity(), behind = vkp_identity();
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    const Window partial = vkp_load_partial(i);
    if (i < gl_SubgroupID) before = vkp_combine(before, partial);
    if (i > gl_SubgroupID) behind = vkp_combine(behind, partial);
  }
  around.before = vkp_combine(before, around.before);
  around.behind = vkp_combine(around.behind, behind);
  return around;
}

#endif

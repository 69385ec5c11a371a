// Strips are runs of elements across a workgroup: an invocation has a chunk, in the order of
// subgroups and lanes. Each subgroup has a stage of its own, so it need not wait for others.
#ifndef VKPRIMS_ROLLING_STRIP_GLSL
#define VKPRIMS_ROLLING_STRIP_GLSL

#extension GL_KHR_shader_subgroup_basic : require

#define ROLLING_STAGE_OF_SUBGROUP
#include "rolling/rolling/input.glsl"

// A strip is `items` elements from `first` on of a sequence of n.
struct Strip {
  uvec2 first;
  uint items;
  uvec2 n;
};

// Fetches the bits of items item_of(i) of a strip. There are no branches, as loads are waited for
// where branches meet.
void fetch_ahead(Strip strip, out UNIT items[chunk]) {
  const Extent extent = extent_of(strip.first, strip.items, strip.n);
  const uvec2 own = vkp_add64(strip.first, item_of(0u));
  const uvec2 base = vkp_add64(vkp_u64(push.source.base), vkp_mul64(own, element_bytes));
  [[unroll]] for (uint i = 0u; i < chunk; ++i) {
    items[i] = no_bits();
    if (item_of(i) - extent.begin < extent.end - extent.begin) {
      items[i] = load_bits(base, i * item_stride());
    }
  }
}
// Does the same where the elements are waited for anyway.
void fetch_strip(Strip strip, out UNIT items[chunk]) {
  const Extent extent = extent_of(strip.first, strip.items, strip.n);
  const uint begin = item_of(0u) - gl_SubgroupInvocationID;
  if (begin < extent.begin || begin + chunk * item_stride() > extent.end) {
    fetch_ahead(strip, items);
  } else {
    const uvec2 own = vkp_add64(strip.first, item_of(0u));
    const uvec2 base = vkp_add64(vkp_u64(push.source.base), vkp_mul64(own, element_bytes));
    [[unroll]] for (uint i = 0u; i < chunk; ++i) items[i] = load_bits(base, i * item_stride());
  }
}

// Makes windows of the own chunk of a strip that has been fetched; elements outside the strip are
// the identity.
void place_strip(Strip strip, UNIT items[chunk], out Window x[chunk]) {
  const uvec2 end = vkp_add64(strip.first, strip.items);
  const uvec2 n = (end.y & 0x80000000u) != 0u ? uvec2(0u) : vkp_min64(strip.n, end);
  stage_barrier();
  [[unroll]] for (uint i = 0u; i < chunk; ++i) {
    stage[item_place(i)] = unit_of(value_of_bits(items[i]));
  }
  stage_barrier();
  const uint own = own_chunk() * chunk;
  const uvec2 begin = vkp_add64(strip.first, own);
  const Marks marks = marks_of(begin, n);
  [[unroll]] for (uint k = 0u; k < chunk; ++k) {
    x[k] = window_of(stage[place_of(own) + k], begin, k, marks);
  }
}

Window fold_chunk(Window x[chunk]) {
  Window fold = x[0];
  [[unroll]] for (uint k = 1u; k < chunk; ++k) fold = vkp_combine(fold, x[k]);
  return fold;
}

#endif

// Loads elements into the stage of a workgroup.
//
// The includer declares a push constant block `push` with a RollingInput `source`.
#ifndef VKPRIMS_ROLLING_STAGE_GLSL
#define VKPRIMS_ROLLING_STAGE_GLSL

#include "rolling/rolling/input.glsl"

const uint ahead = run_items + 1u;  // loads in flight of an invocation, mostly all that it has

// Stages elements first … first + items - 1. All invocations must call it.
void stage_elements(uvec2 first, uint items, uvec2 n) {
  const Extent extent = extent_of(first, items, n);
  const uvec2 own = vkp_add64(first, item_of(0u));
  const uvec2 base = vkp_add64(vkp_u64(push.source.base), vkp_mul64(own, element_bytes));
  for (uint at = 0u; at * item_stride() < items; at += ahead) {
    STAGED x[ahead];
    [[unroll]] for (uint i = 0u; i < ahead; ++i) {
      x[i] = no_bits();
      if (item_of(at + i) - extent.begin < extent.end - extent.begin) {
        x[i] = load_bits(base, (at + i) * item_stride());
      }
    }
    [[unroll]] for (uint i = 0u; i < ahead; ++i) {
      if (item_of(at + i) < items) put_staged(item_place(at + i), x[i]);
    }
  }
  barrier();
}

#endif

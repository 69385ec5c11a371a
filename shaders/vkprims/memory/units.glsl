// Units: up to 4 neighbours of 1 or 2 words each, beginning at a multiple of their number, are
// stored by as few and as wide accesses as possible.
#ifndef VKPRIMS_UNITS_GLSL
#define VKPRIMS_UNITS_GLSL

#include "vkprims/core.glsl"

// Stores those of elements first … first + n - 1 of the sequence at `base` that are among the first
// `valid` of the unit. `n` and `words` are constants; `base` is a multiple of the smaller of 16 and
// 4 * n * words bytes.
void vkp_store_unit(uvec2 base, uint first, uint n, uint words, uvec2 x[4], uint valid) {
  if (n == 1u || valid < n) {
    [[unroll]] for (uint i = 0u; i < n; ++i) {
      if (i >= valid) continue;
      if (words == 1u) VkpWords(base).v[first + i] = x[i].x;
      if (words == 2u) VkpWords2(base).v[first + i] = x[i];
    }
  } else if (words == 2u) {
    VkpWords4(base).v[first / 2u] = uvec4(x[0], x[1]);
    if (n == 4u) VkpWords4(base).v[first / 2u + 1u] = uvec4(x[2], x[3]);
  } else if (n == 2u) {
    VkpWords2(base).v[first / 2u] = uvec2(x[0].x, x[1].x);
  } else {
    VkpWords4(base).v[first / 4u] = uvec4(x[0].x, x[1].x, x[2].x, x[3].x);
  }
}

#endif

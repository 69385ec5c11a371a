// Normal numbers: mean + deviation * z, with two z made of every two words. The algorithms are in
// vkprims/random/normal.h and cells.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "cells.glsl"
#include "vkprims/random/normal.h"

// The result is rounded twice, as in uniform.comp. 1 * z + 0 is z, whatever a device does with
// floats.
uint normal_number(uint z) {
  precise const float scaled = uintBitsToFloat(push.scale.lo) * uintBitsToFloat(z);
  precise const float shifted =
      uintBitsToFloat(push.offset.lo) + uintBitsToFloat(floatBitsToUint(scaled) ^ push.zero);
  return floatBitsToUint(shifted);
}

uvec4 random_cell(VkpRng rng, uvec2 cell) {
  const uvec4 x = vkp_rng_block(rng, cell, rounds);
  const VkpNormalPair a = vkp_normal_pair(x.x, x.y);
  const VkpNormalPair b = vkp_normal_pair(x.z, x.w);
  return uvec4(normal_number(a.first), normal_number(a.second), normal_number(b.first),
               normal_number(b.second));
}

void main() { random_cells(); }

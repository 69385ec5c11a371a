// A rolling mean: an invocation has one row and adds up its window from memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rolling_seed/mean.glsl"

void main() {
  const uvec2 row =
      vkp_add64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), gl_LocalInvocationIndex);
  if (!exists(row)) return;
  const uvec2 first = begin_of(row);
  const uint items = vkp_sub64(row, first).x + 1u;
  double sum = 0.0LF;
  for (uint i = 0u; i < items; ++i) sum += load(first, i);
  store(row, sum);
}

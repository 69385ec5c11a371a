// A rolling mean: an invocation has 48 neighbouring rows, adds up the window of the first one, and
// comes from each row to the next by an element added and one taken away. (So what is infinite or
// huge stays in the sum of later rows.)
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rolling_seed/mean.glsl"

const uint rows = 48u;

void main() {
  const uint invocation = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  const uvec2 row = vkp_mul64(invocation, rows);
  if (!exists(row)) return;
  const uvec2 first = begin_of(row);
  const uint items = vkp_sub64(row, first).x + 1u;
  double sum = 0.0LF;
  for (uint i = 0u; i < items; ++i) sum += load(first, i);
  store(row, sum);
  for (uint k = 1u; k < rows; ++k) {
    const uvec2 next = vkp_add64(row, k);
    if (!exists(next)) return;
    sum += load(next, 0u);
    if (!vkp_less64(next, uvec2(window, 0u))) sum -= load(vkp_sub64(next, uvec2(window, 0u)), 0u);
    store(next, sum);
  }
}

// A rolling mean: a workgroup loads what its rows look at to shared memory, where each invocation
// adds up its window.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rolling_seed/mean.glsl"

shared double tile[gl_WorkGroupSize.x + window - 1u];

void main() {
  const uvec2 row = vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x);
  if (!exists(row)) return;
  const uint own = gl_LocalInvocationIndex;
  const uint items = gl_WorkGroupSize.x + window - 1u;
  for (uint at = 0u; at < items; at += gl_WorkGroupSize.x) {
    const uint i = at + own;
    if (i >= items) continue;
    const uvec2 e = vkp_add64(row, i);
    tile[i] = 0.0LF;
    const bool inside =
        !vkp_less64(e, uvec2(window - 1u, 0u)) && exists(vkp_sub64(e, uvec2(window - 1u, 0u)));
    if (inside) tile[i] = load(vkp_sub64(e, uvec2(window - 1u, 0u)), 0u);
  }
  barrier();
  double sum = 0.0LF;
  for (uint i = 0u; i < window; ++i) sum += tile[own + i];
  if (exists(vkp_add64(row, own))) store(vkp_add64(row, own), sum);
}

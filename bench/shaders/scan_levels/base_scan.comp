// The second of three dispatches: exclusive sums of the blocks' sums, in place, by one workgroup,
// which goes through them chunk by chunk and carries the sum of everything before.
//
// Each invocation adds up four neighbours, the workgroup scans these, and each invocation adds its
// neighbours again on top. It reads and writes its own rows only, so nothing but the scan needs
// barriers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"

#define SCAN_WORDS 2
#include "scan_levels/workgroup_scan.glsl"

layout(push_constant) uniform Push {
  // Aligned to 16 bytes; whole rows of 4 words, of which the last may hold anything.
  uint sums_lo, sums_hi;
  uint rows;
};

void main() {
  if (vkp_group_index() != 0u) return;
  VkpWords4 sums = VkpWords4(uvec2(sums_lo, sums_hi));
  uint carry = 0u;
  for (uint first = 0u; first < rows; first += SCAN_WORDS * gl_WorkGroupSize.x) {
    uvec4 row[SCAN_WORDS];
    uint own[SCAN_WORDS];
    uint inclusive[SCAN_WORDS];
    for (uint k = 0u; k < SCAN_WORDS; ++k) {
      const uint at = first + k * gl_WorkGroupSize.x + invocation();
      row[k] = uvec4(0u);
      if (at < rows) row[k] = sums.v[at];
      own[k] = row[k].x + row[k].y + row[k].z + row[k].w;
      inclusive[k] = own[k];
    }
    const uint chunk_sum = scan_workgroup(inclusive);
    for (uint k = 0u; k < SCAN_WORDS; ++k) {
      const uint at = first + k * gl_WorkGroupSize.x + invocation();
      const uint x = carry + inclusive[k] - own[k];
      const uint y = x + row[k].x;
      const uint z = y + row[k].y;
      if (at < rows) sums.v[at] = uvec4(x, y, z, z + row[k].z);
    }
    carry += chunk_sum;
  }
}

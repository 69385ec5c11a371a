// Inclusive sums of each block by subgroups (workgroup_scan.glsl), and the blocks' sums for who
// wants them.
//
// A word's inclusive sum is that of its subgroup up to it, plus the sums of all subgroups before.
// Subgroups take turns round by round, and so "before" means the order of places,
// k * gl_WorkGroupSize.x + invocation().
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan_levels/block.glsl"

#define SCAN_WORDS items
#include "scan_levels/workgroup_scan.glsl"

void main() {
  const Block block = this_block();
  if (block.valid == 0u) return;
  uint x[items];
  for (uint k = 0u; k < items; ++k) x[k] = load_word(block, k * gl_WorkGroupSize.x + invocation());
  const uint sum = scan_workgroup(x);
  for (uint k = 0u; k < items; ++k) store_word(block, k * gl_WorkGroupSize.x + invocation(), x[k]);
  const uvec2 sums = uvec2(sums_lo, sums_hi);
  if (sums != uvec2(0u) && gl_LocalInvocationIndex == 0u) VkpWords(sums).v[vkp_group_index()] = sum;
}

// The third of three dispatches: adds to each word of a block the sum of all blocks before, which
// turns sums within blocks into sums of the whole sequence.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan_levels/block.glsl"

void main() {
  const Block block = this_block();
  if (block.valid == 0u) return;
  const uint base = VkpWords(uvec2(sums_lo, sums_hi)).v[vkp_group_index()];
  for (uint k = 0u; k < items; ++k) {
    const uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    store_word(block, i, load_word(block, i) + base);
  }
}

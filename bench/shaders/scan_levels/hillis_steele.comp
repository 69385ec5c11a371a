// Inclusive sums of each block by doubling steps: simple and of few steps, but O(n log n)
// additions.
//
// Source: Hillis and Steele, "Data Parallel Algorithms", Communications of the ACM 29 (12), 1986.
// Invariant: after the step with distance d, word i holds the sum of the 2 d words that end with
// word i, or of all up to i where there are fewer: two neighbouring runs of d words have been
// joined. After log2(1024) = 10 steps these are the inclusive sums. Each step reads one array and
// writes the other, so a word is never overwritten while others read it, and one barrier per step
// is enough: it orders this step's reads after the writes of the step before, and its writes after
// the reads of the step before.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan_levels/block.glsl"

shared uint sums[2][block_words];

void main() {
  const Block block = this_block();
  if (block.valid == 0u) return;
  for (uint k = 0u; k < items; ++k) {
    const uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    sums[0][i] = load_word(block, i);
  }
  uint from = 0u;
  for (uint distance = 1u; distance < block_words; distance *= 2u) {
    barrier();
    for (uint k = 0u; k < items; ++k) {
      const uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      uint sum = sums[from][i];
      if (i >= distance) sum += sums[from][i - distance];
      sums[1u - from][i] = sum;
    }
    from = 1u - from;
  }
  for (uint k = 0u; k < items; ++k) {  // the words that this invocation has written
    const uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    store_word(block, i, sums[from][i]);
  }
}

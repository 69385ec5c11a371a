// Blocks of 1,024 words, one per workgroup of 128 or 256 invocations. An invocation moves `items`
// words of its block, a workgroup's size apart, so that neighbours in memory belong to neighbouring
// invocations.
#include "vkprims/core.glsl"

layout(push_constant) uniform Push {
  uint in_lo, in_hi;
  uint out_lo, out_hi;
  uint count_lo, count_hi;
  uint sums_lo, sums_hi;  // a word per block; 0: not wanted
};

const uint block_words = 1024u;
const uint items = block_words / gl_WorkGroupSize.x;

struct Block {
  uvec2 in_base, out_base;
  uint valid;  // words of it that exist; 0: this workgroup is surplus
};

Block this_block() {
  const uvec2 first = vkp_mul64(vkp_group_index(), block_words);
  const uvec2 offset = vkp_shl64(first, 2u);
  return Block(vkp_add64(uvec2(in_lo, in_hi), offset), vkp_add64(uvec2(out_lo, out_hi), offset),
               vkp_clamped_difference(uvec2(count_lo, count_hi), first, block_words));
}

// Words past the end count as 0, the identity of the sum.
uint load_word(Block block, uint i) {
  uint x = 0u;
  if (i < block.valid) x = VkpWords(block.in_base).v[i];
  return x;
}

void store_word(Block block, uint i, uint x) {
  if (i < block.valid) VkpWords(block.out_base).v[i] = x;
}

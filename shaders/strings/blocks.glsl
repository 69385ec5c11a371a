// Blocks: every 1 << block_shift bytes of memory that column a has something of, whatever rows they are of.
//
// blocks.comp leaves for each what all before it add up to, two sums modulo 2^32: what a row has of whole blocks is the difference
// of two of these.
#ifndef STRINGS_BLOCKS_GLSL
#define STRINGS_BLOCKS_GLSL

#include "strings/strings.glsl"

uvec2 blocks_address() { return vkp_u64(arguments().v.blocks); }
uint block_bytes() { return 1u << arguments().v.block_shift; }
uvec2 first_block() { return uvec2(push.a.chars.lo & ~(VKP_STRINGS_BLOCK_ALIGNMENT - 1u), push.a.chars.hi); }
uvec2 sum_before_block(uint k) {
  VkpWords sum = VkpWords(vkp_add64(blocks_address(), VKP_STRINGS_BLOCK_BYTES * k));
  return uvec2(sum.v[0], sum.v[1]);
}

// What a row may leave at a block, behind all sums: step_parts.glsl, long_cuts.glsl.
uvec2 place_of_block(uint k) {
  return vkp_add64(blocks_address(), VKP_STRINGS_BLOCK_BYTES * (VKP_STRINGS_MOST_BLOCKS + 1u) + VKP_STRINGS_BLOCK_ROW_BYTES * k);
}

// Whole blocks of bytes begin … end - 1 of a row of a, of which all depends on bytes of the row that are not its first one: on
// `behind` bytes behind them, too.
struct Blocks {
  uint first, count;
  uint begin;  // byte of the row with which the first one begins
};

Blocks blocks_of(VkpText t, uint begin, uint end, uint behind) {
  if (blocks_address() == uvec2(0u)) return Blocks(0u, 0u, begin);
  const uint shift = arguments().v.block_shift;
  const uvec2 at = vkp_add64(vkp_sub64(t.at, first_block()), max(begin, 1u));
  Blocks x;
  x.first = 0u;
  x.begin = max(begin, 1u) + (0u - at.x & block_bytes() - 1u);
  const uint last = min(end, t.bytes - min(t.bytes, behind));
  x.count = last - min(last, x.begin) >> shift;
  x.first = vkp_shr64(vkp_add64(at, block_bytes() - 1u), shift).x;
  return x;
}

// ---- Which blocks are whole blocks of one row: looked up by offsets that ascend.

uint row_of_block(uint k) { return VkpWords(place_of_block(k)).v[3]; }

// The last row that begins before a byte of the column; 0 if none does. By a subgroup, whose lanes look at rows between.
uint row_before(uvec2 at) {
  uint low = 0u;
  uint high = push.rows;
  const uint lanes = gl_SubgroupSize;
  while (high - low > 1u) {
    const uint step = (high - low + lanes) / (lanes + 1u);
    const uint row = low + step * (gl_SubgroupInvocationID + 1u);
    uvec2 begin = at;
    uvec2 end;
    if (row < high) vkp_row_offsets(push.a, row, begin, end);
    low += step * subgroupBallotBitCount(subgroupBallot(vkp_less64(begin, at)));
    high = min(high, low + step);
  }
  return low;
}

#endif

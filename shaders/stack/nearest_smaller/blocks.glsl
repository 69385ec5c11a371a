// The blocks of a tile: what an invocation finds in its own block, and in the blocks before.
#ifndef VKPRIMS_NEAREST_SMALLER_BLOCKS_GLSL
#define VKPRIMS_NEAREST_SMALLER_BLOCKS_GLSL

#include "stack/nearest_smaller/results.glsl"
#include "stack/nearest_smaller/shared_keys.glsl"
#include "vkprims/masks.glsl"

shared uint block_survivors[tile_blocks];

// Returns which items of a block exist, as bits.
uint existing(const Range range, const uint block) {
  const uint first = block * BLOCK;
  const uint begin = max(range.begin, first) - first;
  const uint end = clamp(range.end, first, first + BLOCK) - first;
  return vkp_low_bits(end) & ~vkp_low_bits(begin);
}

// Walks over a block with a stack of those items that may be an answer for later ones. Keys on the
// stack ascend, as an item takes off those that do not answer it. The stack is a mask of the block,
// so its top is the highest bit. Returns the items that find nothing; what is left on the stack are
// the survivors, the least of them at the bottom.
//
// A turn takes at most one item off, and goes on to the next item if the top answers now, so an
// invocation makes less than twice as many turns as it has items. If each turn took off all that do
// not answer, invocations would wait, item by item, for the one that takes off most.
uint walk_block(uint block, uint exist) {
  uint stack = 0u, top = 0u;  // `top` counts only while something is on the stack
  uint pending = 0u;
  uint codes = 0u;  // the answers of two items, the last one in the upper half
  VKP_KEY top_key = LAST;
  VKP_KEY key = LAST;
  uint e = BLOCK;
  if (block < tile_blocks) {
    key = key_at(block, 0u);
    e = 0u;
  }
  while (e < BLOCK) {
    if (stack != 0u && !answers(top_key, key)) {
      stack &= ~(1u << top);
      top = uint(findMSB(stack));
      if (stack != 0u) top_key = key_at(block, top);
      if (stack != 0u && !answers(top_key, key)) continue;
    }
    const bool nan = is_nan(key);
    if (stack == 0u && !nan) pending |= 1u << e;
    const uint code = stack == 0u || nan ? NO_ANSWER : block * BLOCK + top;
    codes = codes >> 16u | code << 16u;
    if (e % 2u == 1u) stage_pair(block, e / 2u, codes);
    // Items that do not exist come first or last, so what they leave in `top` is not used.
    stack |= exist & 1u << e;
    top = e;
    top_key = key;
    ++e;
    key = key_at(block, min(e, BLOCK - 1u));
  }
  if (block < tile_blocks) {
    block_survivors[block] = stack;
    VKP_KEY least = LAST;
    if (stack != 0u) least = key_at(block, uint(findLSB(stack)));
    put_least(0u, block, least);
  }
  return pending & exist;
}

void build_table() {
  const uint own = gl_LocalInvocationIndex;
  [[unroll]] for (uint k = 1u; k < TABLE; ++k) {
    barrier();
    const uint before = 1u << (k - 1u);
    if (own >= tile_blocks) continue;
    VKP_KEY least = least_at(k - 1u, own);
    if (own >= before) least = least_of(least, least_at(k - 1u, own - before));
    put_least(k, own, least);
  }
}

// Returns how many of the first `at` blocks there are up to the last one that has an answer; 0 if
// none has.
uint blocks_upto(uint at, VKP_KEY key) {
  [[unroll]] for (int k = int(TABLE) - 1; k >= 0; --k) {
    if (at != 0u && !answers(least_at(k, at - 1u), key)) at -= min(at, 1u << k);
  }
  return at;
}

// Returns the last item of a block that answers; there is one. Keys of survivors ascend.
uint last_in_block(uint block, VKP_KEY key) {
  uint stack = vkp_load_shared_word(block_survivors[block]);
  [[unroll]] for (uint width = BLOCK / 2u; width > 0u; width /= 2u) {
    // The candidates that are left are parted `width` places above the lowest one.
    const uint low = uint(findLSB(stack));
    const uint upper = stack & ~vkp_low_bits(low + width);
    if (upper != 0u) {
      stack = answers(key_at(block, uint(findLSB(upper))), key) ? upper : stack ^ upper;
    }
  }
  return uint(findLSB(stack));
}

// Finds in the tile what the pending items of a block ask for. Their keys never ascend, so no
// answer lies behind that of the item before. Returns the items for which there is nothing in the
// tile. It must be called behind a barrier.
uint find_in_tile(uint block, uint pending) {
  uint at = block;
  while (pending != 0u) {
    const uint e = uint(findLSB(pending));
    const VKP_KEY key = key_at(block, e);
    at = blocks_upto(at, key);
    if (at == 0u) break;
    stage_answer(block, e, (at - 1u) * BLOCK + last_in_block(at - 1u, key));
    pending &= pending - 1u;
  }
  return pending;
}

#endif

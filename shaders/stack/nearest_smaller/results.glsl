// Answers of a tile on their way to memory: a code of 16 bits for each item, two to a word. The
// invocation that has the item writes its code; then answers are stored by rows of 16 bytes that
// are aligned, whatever the view.
#ifndef VKPRIMS_NEAREST_SMALLER_RESULTS_GLSL
#define VKPRIMS_NEAREST_SMALLER_RESULTS_GLSL

#include "stack/nearest_smaller/nearest_smaller.glsl"

const uint NO_ANSWER = 0xffffu;
// The words of a block are odd in number, so that blocks meet few bank conflicts.
const uint ANSWER_PITCH = BLOCK / 2u + 1u;
const uint ROW = 4u / index_words;          // items in 16 bytes

shared uint answer_words[tile_blocks * ANSWER_PITCH];

// Stages the answers of items 2 * pair and 2 * pair + 1 of a block.
void stage_pair(uint block, uint pair, uint both) {
  vkp_store_shared_word(answer_words[block * ANSWER_PITCH + pair], both);
}

// Stages the answer of an item that has none so far.
void stage_answer(uint block, uint e, uint answer) {
  const uint word = block * ANSWER_PITCH + e / 2u;
  atomicAnd(answer_words[word], e % 2u == 0u ? 0xffff0000u | answer : 0xffffu | answer << 16u);
}

// Returns what is stored for an item; `first` is the element of item 0 of the tile.
uvec2 index_of(uvec2 first, uint item) {
  const uint word = answer_words[item / BLOCK * ANSWER_PITCH + item % BLOCK / 2u];
  const uint answer = item % 2u == 0u ? word & 0xffffu : word >> 16u;
  return answer == NO_ANSWER ? uvec2(NONE) : further(first, answer);
}

uvec2 index_address(uvec2 element) {
  return vkp_add64(vkp_u64(push.out_base), vkp_mul64(element, 4u * index_words));
}

void store_index(uvec2 address, uvec2 x) {
  if (index_words == 1u) {
    VkpWords(address).v[0] = x.x;
  } else {
    VkpWords2(address).v[0] = x;
  }
}

// `at` is the lowest address of the row.
void store_row(uvec2 at, uvec2 first, uint item) {
  uvec4 row;
  if (index_words == 1u) {
    [[unroll]] for (uint k = 0u; k < 4u; ++k) row[k] = index_of(first, item + k).x;
    if (mirrored != 0u) row = row.wzyx;
  } else {
    row = uvec4(index_of(first, item), index_of(first, item + 1u));
    if (mirrored != 0u) row = row.zwxy;
  }
  VkpWords4(at).v[0] = row;
}

// Stores all answers of a tile. It must be called behind a barrier.
void store_answers(Sequence s, uint tile, Range range) {
  const uvec2 first = element_of(s, vkp_mul64(tile, tile_items()));
  const uvec2 base = index_address(first);
  // Rows are counted from the one that item 0 is in: its first `early` items belong to the tile
  // before.
  const uint size = 4u * index_words;
  const uint early = ((mirrored != 0u ? 0u - (base.x + size) : base.x) & 15u) / size;
  const uint rows = (range.end + early + ROW - 1u) / ROW;
  // All invocations make as many turns.
  const uint turns = (rows + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  [[dont_unroll]] for (uint turn = 0u; turn < turns; ++turn) {
    const uint begin = ROW * (turn * gl_WorkGroupSize.x + gl_LocalInvocationIndex);
    if (begin >= range.begin + early && begin + ROW <= range.end + early) {
      const uint item = begin - early;
      const uvec2 at = further(base, item * size);
      store_row(mirrored != 0u ? vkp_sub64(at, uvec2(16u - size, 0u)) : at, first, item);
    } else {
      [[unroll]] for (uint k = 0u; k < ROW; ++k) {
        if (begin + k < range.begin + early || begin + k >= range.end + early) continue;
        const uint item = begin + k - early;
        store_index(further(base, item * size), index_of(first, item));
      }
    }
  }
}

#endif

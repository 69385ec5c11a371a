// Results of a tile on their way to memory: a code of 16 bits for each item, two to a word. Written by the invocation
// that has the item, or by any by atomics, and stored by rows.
//
// Needs
//   uvec2 value_of(uint tile, uint item, uint code)   what is stored for an item
#ifndef VKPRIMS_STACK_MATCH_RESULTS_GLSL
#define VKPRIMS_STACK_MATCH_RESULTS_GLSL

#include "stack_match/stack_match.glsl"

layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;  // 4: rows of all outputs are aligned

const uint NO_RESULT = 0xffffu;
const uint PITCH = BLOCK / 2u + 1u;  // words of a block; odd, so that blocks side by side meet no bank conflicts

shared uint results[gl_WorkGroupSize.x * PITCH];

// Items 2 * pair and the next of this invocation's block.
void stage_pair(uint pair, uint both) { results[invocation() * PITCH + pair] = both; }

// Of an item that has none so far.
void stage_result(uint item, uint result) {
  const uint word = item / BLOCK * PITCH + item % BLOCK / 2u;
  const uint mask = item % 2u == 0u ? 0xffff0000u | result : 0xffffu | result << 16u;
  atomicAnd(results[word], mask);
}

void clear_results() {
  barrier();
  [[unroll]] for (uint i = 0u; i < PITCH; ++i) results[i * gl_WorkGroupSize.x + invocation()] = 0xffffffffu;
}

uvec2 value_of(uint tile, uint item, uint code);

// Four neighbours from `item` on.
void store_row(uvec2 out_base, uint tile, uint item, Range range) {
  const uint word = item / BLOCK * PITCH + item % BLOCK / 2u;
  const uint low = results[word];
  const uint high = results[word + 1u];
  const uint codes[4] = uint[4](low & 0xffffu, low >> 16u, high & 0xffffu, high >> 16u);
  uvec2 x[4];
  [[unroll]] for (uint k = 0u; k < 4u; ++k) x[k] = value_of(tile, item + k, codes[k]);
  if (row_words == 4u && item >= range.begin && item + 4u <= range.end) {
    if (index_words == 1u) {
      VkpWords4(out_base).v[item / 4u] = uvec4(x[0].x, x[1].x, x[2].x, x[3].x);
    } else {
      VkpWords4(out_base).v[item / 2u] = uvec4(x[0], x[1]);
      VkpWords4(out_base).v[item / 2u + 1u] = uvec4(x[2], x[3]);
    }
    return;
  }
  [[unroll]] for (uint k = 0u; k < 4u; ++k) {
    if (item + k < range.begin || item + k >= range.end) continue;
    if (index_words == 1u) {
      VkpWords(out_base).v[item + k] = x[k].x;
    } else {
      VkpWords2(out_base).v[item + k] = x[k];
    }
  }
}

// All of a tile. Behind a barrier.
void store_results(uvec2 out_address, uint tile, Range range) {
  const uvec2 out_base = vkp_add64(out_address, vkp_mul64(tile_first(tile), 4u * index_words));
  [[dont_unroll]] for (uint i = 0u; i < BLOCK / 4u; ++i) {
    const uint item = 4u * (i * gl_WorkGroupSize.x + invocation());
    if (item < range.end) store_row(out_base, tile, item, range);
  }
}

#endif

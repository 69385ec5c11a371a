// Results of a tile on their way to memory: a code of 16 bits for each item, two to a word. A code
// is written by the invocation that has the item, or by any invocation with atomics; then results
// are stored by rows.
//
// The includer defines:
// - uvec2 value_of(uint tile, uint item, uint code): returns what is stored for an item.
#ifndef VKPRIMS_STACK_MATCH_RESULTS_GLSL
#define VKPRIMS_STACK_MATCH_RESULTS_GLSL

#include "stack/stack_match/stack_match.glsl"

// If this is 4, the rows of all outputs are aligned.
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;

const uint NO_RESULT = 0xffffu;
// The words of a block are odd in number, so that blocks side by side meet no bank conflicts.
const uint PITCH = BLOCK / 2u + 1u;
const uint RESULT_WORDS = PITCH * gl_WorkGroupSize.x;
#ifndef VKP_STACK_OUTPUTS
#define VKP_STACK_OUTPUTS 1u
#endif

shared uint results[VKP_STACK_OUTPUTS * RESULT_WORDS];

// Stages the results of items 2 * pair and 2 * pair + 1 of this invocation's block.
void stage_pair(uint pair, uint both) { results[invocation() * PITCH + pair] = both; }

// Stages the result of an item that has none so far.
void stage_result(uint output_words, uint item, uint result) {
  const uint word = output_words + item / BLOCK * PITCH + item % BLOCK / 2u;
  atomicXor(results[word], (result ^ NO_RESULT) << item % 2u * 16u);
}

// Clears the results of this invocation's block.
void clear_results(uint output_words) {
  [[unroll]] for (uint i = 0u; i < PITCH; ++i) {
    results[output_words + invocation() * PITCH + i] = 0xffffffffu;
  }
}

uvec2 value_of(const uint tile, const uint item, const uint code);

uvec2[4] values_of(uint output_words, uint tile, uint item) {
  const uint word = output_words + item / BLOCK * PITCH + item % BLOCK / 2u;
  const uint low = results[word];
  const uint high = results[word + 1u];
  return uvec2[4](value_of(tile, item, low & 0xffffu), value_of(tile, item + 1u, low >> 16u),
                  value_of(tile, item + 2u, high & 0xffffu),
                  value_of(tile, item + 3u, high >> 16u));
}

// store_row() stores the results of four neighbours, store_some() those of them that are in the
// range.
void store_row(uvec2 row, uvec2 x[4]) {
  if (index_words == 1u) {
    VkpWords4(row).v[0] = uvec4(x[0].x, x[1].x, x[2].x, x[3].x);
  } else {
    VkpWords4(row).v[0] = uvec4(x[0], x[1]);
    VkpWords4(row).v[1] = uvec4(x[2], x[3]);
  }
}
void store_some(uvec2 row, uvec2 x[4], uint item, Range range) {
  [[unroll]] for (uint k = 0u; k < 4u; ++k) {
    if (item + k < range.begin || item + k >= range.end) continue;
    if (index_words == 1u) {
      VkpWords(row).v[k] = x[k].x;
    } else {
      VkpWords2(row).v[k] = x[k];
    }
  }
}

// Stores all results of a tile. It must be called behind a barrier.
void store_results(const uint output_words, const uvec2 out_address, const uint tile,
                   const Range range) {
  const uvec2 out_base = vkp_add64(out_address, vkp_mul64(tile_first(tile), 4u * index_words));
  const bool whole = row_words == 4u && range.begin == 0u && range.end == tile_items();
  uvec2 row = vkp_add64(out_base, 16u * index_words * invocation());
  [[dont_unroll]] for (uint i = 0u; i < BLOCK / 4u; ++i) {
    const uint item = 4u * (i * gl_WorkGroupSize.x + invocation());
    const uvec2 x[4] = values_of(output_words, tile, item);
    if (whole || row_words == 4u && item >= range.begin && item + 4u <= range.end) {
      store_row(row, x);
    } else {
      store_some(row, x, item, range);
    }
    row = vkp_add64(row, 16u * index_words * gl_WorkGroupSize.x);
  }
}

// Stores the codes themselves, for all items that a tile may have. It must be called behind a
// barrier.
void store_codes(uvec2 out_address, uint tile) {
  const uvec2 base = vkp_add64(out_address, vkp_mul64(tile, 2u * tile_items()));
  [[dont_unroll]] for (uint i = 0u; i < BLOCK / 8u; ++i) {
    const uint row = i * gl_WorkGroupSize.x + invocation();
    const uint word = row / (BLOCK / 8u) * PITCH + row % (BLOCK / 8u) * 4u;
    VkpWords4(base).v[row] =
        uvec4(results[word], results[word + 1u], results[word + 2u], results[word + 3u]);
  }
}

#endif

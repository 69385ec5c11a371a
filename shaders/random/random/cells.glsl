// Fills a sequence with cells. A cell is the 16 bytes that a kernel makes of one or more blocks of
// random words.
//
// The output is seen as 16-byte rows from its address rounded down to 16, so stores are aligned
// wherever it starts. Where it starts inside a row, a row holds the end of one cell and the
// beginning of the next: each invocation makes a cell, and takes the cell before from its neighbour
// through shared memory. The first invocation of a workgroup has no neighbour, and makes a cell for
// the second one only. So one cell in a workgroup's size is made twice.
//
// The includer defines uvec4 random_cell(VkpRng rng, uvec2 cell).
// Specialization: VKP_SPEC_ROWS, and VKP_SPEC_ROW_WORDS, which is 4 if the output starts with a
// row, else 1.
#ifndef RANDOM_CELLS_GLSL
#define RANDOM_CELLS_GLSL

#include "random/random/random.abi.h"
#include "vkprims/memory/bytes.glsl"
#include "vkprims/random/philox.glsl"
#include "vkprims/memory/tile.glsl"

layout(constant_id = VKP_RANDOM_SPEC_ROUNDS) const uint rounds = 10;
layout(push_constant) uniform Push { RandomPush push; };

uvec4 random_cell(VkpRng rng, uvec2 cell);

const bool IN_ROWS = vkp_row_words == 4u;  // cells are rows

shared uvec4 cells[gl_WorkGroupSize.x];

// Makes the rows of this workgroup. It is called once, in a grid of a workgroup for every vkp_rows
// * (gl_WorkGroupSize.x - 1) rows.
void random_cells() {
  const uvec2 count = vkp_read_count(push.count);
  const uint head = push.out_base.lo & 15u;
  // Positions are in bytes, from the first row that holds output on.
  const uvec2 end = vkp_add64(vkp_mul64(count, push.element_bytes), head);
  const uint extra = IN_ROWS ? 0u : 1u;
  const uint step = gl_WorkGroupSize.x - extra;
  const uint tile = vkp_group_index();
  const uvec2 first = vkp_mul64(tile, vkp_rows * step);
  const uvec2 offset = vkp_mul64(first, 16u);
  const uint tile_bytes = 16u * vkp_rows * step;
  const uint valid = vkp_clamped_difference(end, offset, tile_bytes);
  if (valid == 0u || count == uvec2(0u)) return;

  const VkpRng rng = vkp_rng(push.rng);
  const uvec2 base = vkp_add64(vkp_sub64(vkp_u64(push.out_base), uvec2(head, 0u)), offset);
  const uint begin = tile == 0u ? head : 0u;
  const bool interior = valid == tile_bytes && begin == 0u;
  for (uint i = 0u; i < vkp_rows; ++i) {
    const uint row = i * step + gl_LocalInvocationIndex - extra;  // -1 for the first cell of all
    uvec4 words = random_cell(rng, vkp_sub64(vkp_add64(first, row + extra), uvec2(extra, 0u)));
    if (!IN_ROWS) {
      barrier();
      cells[gl_LocalInvocationIndex] = words;
      barrier();
      words = vkp_joined(cells[max(gl_LocalInvocationIndex, 1u) - 1u], words, head);
    }
    if (!IN_ROWS && gl_LocalInvocationIndex == 0u) {
      // This invocation has no neighbour, and stores nothing.
    } else if (interior) {
      VkpWords4(base).v[row] = words;
    } else if (16u * row < valid) {
      [[unroll]] for (uint w = 0u; w < 4u; ++w) {
        const uint word = 4u * row + w;
        vkp_store_bytes(vkp_add64(base, 4u * word), words[w], vkp_byte_mask(word, begin, valid));
      }
    }
  }
}

#endif

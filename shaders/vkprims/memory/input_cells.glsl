// Cells of input elements as they are in memory, which vkp_load() may convert to VKP_T: what
// cells.glsl is for sequences of VKP_T. A cell has 4 elements of 1 word, 2 elements of 2 words, or
// 1 larger element, in 16-byte vectors.
//
// Needs VKP_T, VKP_WORDS, vkp_unpack, and, if elements are converted,
//   VKP_IN, VKP_IN_WORDS    the type of input elements and its size in words, 1 … 8, with
//     VKP_IN vkp_unpack_in(uint w[VKP_IN_WORDS])
//     VKP_T vkp_load(VKP_IN x, uvec2 index)     element `index` of the sequence
// VKP_CELLS_ALIGNED, if defined, is a constant expression that says that elements of 4 or 8 words
// lie at multiples of 16 bytes.
#ifndef VKPRIMS_INPUT_CELLS_GLSL
#define VKPRIMS_INPUT_CELLS_GLSL

#include "vkprims/memory/elements.glsl"

#ifndef VKP_CELLS_ALIGNED
#define VKP_CELLS_ALIGNED false
#endif

#ifdef VKP_IN
#define VKP_INPUT_WORDS VKP_IN_WORDS
VKP_T vkp_input(const uint w[VKP_IN_WORDS], const uvec2 index) {
  return vkp_load(vkp_unpack_in(w), index);
}
#else
#define VKP_INPUT_WORDS VKP_WORDS
VKP_T vkp_input(const uint w[VKP_WORDS], const uvec2 index) { return vkp_unpack(w); }
#endif

const uint vkp_item_bytes = 4u * VKP_INPUT_WORDS;

// VKP_CELL_OF(item) and VKP_ITEM_IN_CELL(item) say in which of the cells element `item` is, and
// which of its elements that is. Where a cell has one element, the latter is a constant: otherwise
// modules would compute a remainder, and an index for each word.
#if VKP_INPUT_WORDS <= 2
#define VKP_CELL_ITEMS (4 / VKP_INPUT_WORDS)
#define VKP_CELL_VECTORS 1
#define VKP_CELL_OF(item) ((item) / VKP_CELL_ITEMS)
#define VKP_ITEM_IN_CELL(item) ((item) % VKP_CELL_ITEMS)
#else
#define VKP_CELL_ITEMS 1
#define VKP_CELL_VECTORS ((VKP_INPUT_WORDS + 3) / 4)
#define VKP_CELL_OF(item) (item)
#define VKP_ITEM_IN_CELL(item) 0u
#endif

struct VkpInputCell {
  uvec4 v[VKP_CELL_VECTORS];
};

// Returns the number of elements in the first cell of a sequence at `base` that lie before its
// first one.
uint vkp_cell_head(const uvec2 base) {
#if VKP_INPUT_WORDS <= 2
  return (base.x & 15u) / vkp_item_bytes;
#else
  return 0u;
#endif
}

// Returns the words of element k of a cell.
#define VKP_ITEM_WORDS_ARRAY uint[VKP_INPUT_WORDS]
VKP_ITEM_WORDS_ARRAY vkp_cell_words(VkpInputCell cell, uint k) {
  uint w[VKP_INPUT_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_INPUT_WORDS; ++i) {
    const uint at = k * VKP_INPUT_WORDS + i;
    w[i] = cell.v[at / 4u][at % 4u];
  }
  return w;
}

// Loads cell `cell`, all of whose elements exist.
VkpInputCell vkp_load_whole_input(const uvec2 base, const uint cell) {
  VkpInputCell c;
  if (VKP_INPUT_WORDS <= 2 || VKP_INPUT_WORDS % 4 == 0 && VKP_CELLS_ALIGNED) {
    [[unroll]] for (uint i = 0u; i < VKP_CELL_VECTORS; ++i) {
      c.v[i] = VkpWords4(base).v[cell * VKP_CELL_VECTORS + i];
    }
  } else {
    [[unroll]] for (uint i = 0u; i < VKP_INPUT_WORDS; ++i) {
      c.v[i / 4u][i % 4u] = VkpWords(base).v[cell * VKP_INPUT_WORDS + i];
    }
  }
  return c;
}

// Loads those elements of cell `cell` that are numbered `begin` to `end` - 1 from `base` on.
VkpInputCell vkp_load_input(const uvec2 base, const uint cell, const uint begin, const uint end) {
  VkpInputCell c;
  [[unroll]] for (uint i = 0u; i < VKP_CELL_VECTORS; ++i) c.v[i] = uvec4(0u);
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    const uint item = cell * VKP_CELL_ITEMS + k;
    if (item >= begin && item < end) {
      [[unroll]] for (uint i = 0u; i < VKP_INPUT_WORDS; ++i) {
        const uint at = k * VKP_INPUT_WORDS + i;
        c.v[at / 4u][at % 4u] = VkpWords(base).v[item * VKP_INPUT_WORDS + i];
      }
    }
  }
  return c;
}

#endif

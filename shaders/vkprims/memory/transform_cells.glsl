// Cells of a sequence whose elements vkp_load() converts to VKP_T, or whose results vkp_store()
// converts: what cells.glsl is for sequences of VKP_T. A cell holds input elements as they are in
// memory, as 16-byte vectors: 4 of 1 word, 2 of 2 words, or 1 larger one.
//
// Needs VKP_T, VKP_WORDS, vkp_pack, vkp_unpack, vkp_identity, and
//   VKP_IN, VKP_IN_WORDS    the type of input elements and its size in words, 1 … 8, with
//     VKP_IN vkp_unpack_in(uint w[VKP_IN_WORDS])
//     VKP_T vkp_load(VKP_IN x, uvec2 index)     element `index` of the sequence
//   VKP_OUT, VKP_OUT_WORDS  the same of output elements, with
//     void vkp_pack_out(VKP_OUT x, out uint w[VKP_OUT_WORDS])
//     VKP_OUT vkp_store(VKP_T exclusive, VKP_T inclusive, uvec2 index)
// One of the two may be missing: then those elements are VKP_T. VKP_CELLS_ALIGNED, if defined, is a
// constant expression that says that elements of 16 or 32 bytes lie at multiples of 16.
#ifndef VKPRIMS_TRANSFORM_CELLS_GLSL
#define VKPRIMS_TRANSFORM_CELLS_GLSL

#include "vkprims/memory/elements.glsl"

#ifndef VKP_CELLS_ALIGNED
#define VKP_CELLS_ALIGNED false
#endif

#ifdef VKP_IN
#define VKP_LOADED_WORDS VKP_IN_WORDS
VKP_T vkp_converted(const uint w[VKP_IN_WORDS], const uvec2 index) {
  return vkp_load(vkp_unpack_in(w), index);
}
#else
#define VKP_LOADED_WORDS VKP_WORDS
VKP_T vkp_converted(const uint w[VKP_WORDS], const uvec2 index) { return vkp_unpack(w); }
#endif

const uint vkp_item_bytes = 4u * VKP_LOADED_WORDS;

#if VKP_LOADED_WORDS <= 2
#define VKP_CELL_ITEMS (4 / VKP_LOADED_WORDS)
#define VKP_CELL_VECTORS 1
#else
#define VKP_CELL_ITEMS 1
#define VKP_CELL_VECTORS ((VKP_LOADED_WORDS + 3) / 4)
#endif

struct VkpCell {
  uvec4 v[VKP_CELL_VECTORS];
  uint exists;   // a bit for each element
  uvec2 first;   // number of the first one in the sequence
  VKP_T before;  // what comes before the first one, once the cell is scanned
};

VKP_T vkp_cell_item(const VkpCell cell, const uint k) {
  if ((cell.exists >> k & 1u) == 0u) return vkp_identity();
  uint w[VKP_LOADED_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_LOADED_WORDS; ++i) {
    const uint at = k * VKP_LOADED_WORDS + i;
    w[i] = cell.v[at / 4u][at % 4u];
  }
  return vkp_converted(w, vkp_add64(cell.first, k));
}

VKP_T vkp_fold_cell(const VkpCell cell) {
  VKP_T x = vkp_cell_item(cell, 0u);
  [[unroll]] for (uint k = 1u; k < VKP_CELL_ITEMS; ++k) x = vkp_combine(x, vkp_cell_item(cell, k));
  return x;
}

// A part of a sequence, as in cells.glsl.
struct VkpItems {
  uvec2 base;
  uint begin, end;
};

uint vkp_cell_head(const uvec2 base) {
#if VKP_LOADED_WORDS <= 2
  return (base.x & 15u) / vkp_item_bytes;
#else
  return 0u;
#endif
}

VkpCell vkp_load_whole_cell(const uvec2 base, const uint cell) {
  VkpCell c;
  c.exists = ~0u;
  if (VKP_LOADED_WORDS <= 2 || VKP_LOADED_WORDS % 4 == 0 && VKP_CELLS_ALIGNED) {
    [[unroll]] for (uint i = 0u; i < VKP_CELL_VECTORS; ++i) {
      c.v[i] = VkpWords4(base).v[cell * VKP_CELL_VECTORS + i];
    }
  } else {
    [[unroll]] for (uint i = 0u; i < VKP_LOADED_WORDS; ++i) {
      c.v[i / 4u][i % 4u] = VkpWords(base).v[cell * VKP_LOADED_WORDS + i];
    }
  }
  return c;
}

VkpCell vkp_load_cell(const VkpItems items, const uint cell) {
  VkpCell c;
  c.exists = 0u;
  [[unroll]] for (uint i = 0u; i < VKP_CELL_VECTORS; ++i) c.v[i] = uvec4(0u);
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    const uint item = cell * VKP_CELL_ITEMS + k;
    if (item >= items.begin && item < items.end) {
      c.exists |= 1u << k;
      [[unroll]] for (uint i = 0u; i < VKP_LOADED_WORDS; ++i) {
        const uint at = k * VKP_LOADED_WORDS + i;
        c.v[at / 4u][at % 4u] = VkpWords(items.base).v[item * VKP_LOADED_WORDS + i];
      }
    }
  }
  return c;
}

#endif

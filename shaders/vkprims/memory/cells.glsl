// Cells: a cell is what an invocation loads or stores at once, as 16-byte vectors: 4 elements of 1
// word, 2 elements of 2 words, or 1 larger element. A sequence of 1- or 2-word elements that starts
// at any element is seen as cells that are aligned in memory; elements of the first cell that lie
// before the sequence, and elements of the last cell behind it, are never touched. So every load is
// aligned, whatever the view is.
//
// Needs VKP_T, VKP_WORDS, vkp_pack, vkp_unpack, vkp_identity.
#ifndef VKPRIMS_CELLS_GLSL
#define VKPRIMS_CELLS_GLSL

#include "vkprims/memory/elements.glsl"

#if VKP_WORDS <= 2
#define VKP_CELL_ITEMS (4 / VKP_WORDS)
#define VKP_CELL_VECTORS 1
#else
#define VKP_CELL_ITEMS 1
#define VKP_CELL_VECTORS ((VKP_WORDS + 3) / 4)
#endif

struct VkpCell {
  uvec4 v[VKP_CELL_VECTORS];
};

VKP_T vkp_cell_item(VkpCell cell, uint k) {
#if VKP_WORDS == 1
  return vkp_unpack(uint[1](cell.v[0][k]));
#elif VKP_WORDS == 2
  return vkp_unpack(uint[2](cell.v[0][2u * k], cell.v[0][2u * k + 1u]));
#else
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = cell.v[i / 4u][i % 4u];
  return vkp_unpack(w);
#endif
}

void vkp_set_cell_item(inout VkpCell cell, uint k, VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
#if VKP_WORDS <= 2
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) cell.v[0][VKP_WORDS * k + i] = w[i];
#else
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) cell.v[i / 4u][i % 4u] = w[i];
#endif
}

VKP_T vkp_fold_cell(const VkpCell cell) {
  VKP_T x = vkp_cell_item(cell, 0u);
  [[unroll]] for (uint k = 1u; k < VKP_CELL_ITEMS; ++k) x = vkp_combine(x, vkp_cell_item(cell, k));
  return x;
}

// A part of a sequence, from a cell on: the address of the cell, and which of the elements counted
// from there exist.
struct VkpItems {
  uvec2 base;
  uint begin, end;
};

#ifdef VKP_ITEM_BYTES_CONSTANT
// Unsigned integers of 1 or 2 bytes may stand for elements; the constant is their size, or 0.
layout(constant_id = VKP_ITEM_BYTES_CONSTANT) const uint vkp_item_bytes_constant = 0;
const uint vkp_item_bytes =
    vkp_item_bytes_constant == 0u ? uint(VKP_BYTES) : vkp_item_bytes_constant;
#else
const uint vkp_item_bytes = VKP_BYTES;
#endif

// Returns the number of elements in the first cell of a sequence at `base` that lie before its
// first one.
uint vkp_cell_head(const uvec2 base) {
#if VKP_WORDS <= 2
  return (base.x & (max(vkp_item_bytes * VKP_CELL_ITEMS, 4u) - 1u)) / vkp_item_bytes;
#else
  return 0u;
#endif
}

VKP_T vkp_load_item(uvec2 base, uint item) {
#if VKP_WORDS <= 2
  if (vkp_item_bytes < 4u) {
    const uint bit = 8u * vkp_item_bytes * item;
    uint w[VKP_WORDS];
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = 0u;
    w[0] = bitfieldExtract(VkpWords(base).v[bit / 32u], int(bit % 32u), int(8u * vkp_item_bytes));
    return vkp_unpack(w);
  }
#endif
  return vkp_load_element(base, item);
}

// Loads cell `cell`, all of whose elements exist.
VkpCell vkp_load_whole_cell(const uvec2 base, const uint cell) {
  VkpCell c;
#if VKP_WORDS == 1
  if (vkp_item_bytes == 1u) {
    c.v[0] = uvec4(VkpWords(base).v[cell]) >> uvec4(0u, 8u, 16u, 24u) & 0xffu;
  } else if (vkp_item_bytes == 2u) {
    c.v[0] = VkpWords2(base).v[cell].xxyy >> uvec4(0u, 16u, 0u, 16u) & 0xffffu;
  } else {
    c.v[0] = VkpWords4(base).v[cell];
  }
#elif VKP_WORDS == 2
  if (vkp_item_bytes < 4u) {
    const uint bits = 8u * vkp_item_bytes;
    const uint first = 2u * bits * cell;
    const uint both = VkpWords(base).v[first / 32u] >> first % 32u;
    c.v[0] = uvec4(bitfieldExtract(both, 0, int(bits)), 0u,
                   bitfieldExtract(both, int(bits), int(bits)), 0u);
  } else {
    c.v[0] = VkpWords4(base).v[cell];
  }
#else
  vkp_set_cell_item(c, 0u, vkp_load_element(base, cell));
#endif
  return c;
}

// Loads cell `cell`, with the identity in place of elements that do not exist.
VkpCell vkp_load_cell(const VkpItems items, const uint cell) {
  VkpCell c;
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    const uint item = cell * VKP_CELL_ITEMS + k;
    VKP_T x = vkp_identity();
    const bool from_begin = item >= items.begin, before_end = item < items.end;
    if (from_begin && before_end) x = vkp_load_item(items.base, item);
    vkp_set_cell_item(c, k, x);
  }
  return c;
}

// Stores those elements of a cell that exist.
void vkp_store_cell(VkpItems items, uint cell, VkpCell c) {
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    const uint item = cell * VKP_CELL_ITEMS + k;
    const bool from_begin = item >= items.begin, before_end = item < items.end;
    if (from_begin && before_end) {
      vkp_store_element(items.base, item, vkp_cell_item(c, k));
    }
  }
}

void vkp_store_whole_cell(uvec2 base, uint cell, VkpCell c) {
#if VKP_WORDS <= 2
  VkpWords4(base).v[cell] = c.v[0];
#else
  vkp_store_element(base, cell, vkp_cell_item(c, 0u));
#endif
}

#endif

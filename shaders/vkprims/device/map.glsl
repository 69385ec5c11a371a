// Map: out[i] = f(a[i], b[i]), or f(a[i], scalar), for any f and any two types of at most 8 words.
//
// A cell is what an invocation handles at once: as many neighbours as make the larger of an input
// and an output element up to 16 bytes. The output is seen as cells that are aligned in memory, so
// stores are aligned wherever it starts; the edge cells, which hold elements that do not belong to
// it, are handled element by element. So is everything, by one element a lane, where the inputs do
// not start at the same place of a cell as the output. An invocation reads what it needs before it
// writes, and no other invocation writes there, so in place is safe.
//
// Needs VKP_T, VKP_WORDS, vkp_pack, vkp_unpack (the operands), and
//   VKP_OUT_T vkp_map(VKP_T a, VKP_T b)
// If the result is not a VKP_T, also VKP_OUT_T, VKP_OUT_WORDS and vkp_pack(VKP_OUT_T, out
// uint[VKP_OUT_WORDS]). Specialization: VKP_SPEC_ROWS, VKP_MAP_SPEC_INPUTS, and VKP_SPEC_ROW_WORDS.
// The last is 4 if each address, moved back by as many elements as lie between the start of
// `out_base`'s cell and `out_base`, is the start of a cell; else it is 1.
#ifndef VKPRIMS_MAP_GLSL
#define VKPRIMS_MAP_GLSL

#include "vkprims/memory/elements.glsl"
#include "vkprims/device/map.h"
#include "vkprims/memory/tile.glsl"

#ifndef VKP_OUT_T
#define VKP_OUT_T VKP_T
#define VKP_OUT_WORDS VKP_WORDS
#endif

layout(constant_id = VKP_MAP_SPEC_INPUTS) const uint vkp_map_inputs = 1;

#if VKP_WORDS > 2 || VKP_OUT_WORDS > 2
#define VKP_MAP_ITEMS 1
#elif VKP_WORDS == 2 || VKP_OUT_WORDS == 2
#define VKP_MAP_ITEMS 2
#else
#define VKP_MAP_ITEMS 4
#endif
#define VKP_MAP_IN_WORDS (VKP_MAP_ITEMS * VKP_WORDS)       // of a cell
#define VKP_MAP_OUT_WORDS (VKP_MAP_ITEMS * VKP_OUT_WORDS)

struct VkpMap {
  uvec2 a, b, out_base;  // `b`: unused unless VKP_MAP_SPEC_INPUTS is 2
  uvec2 count;           // elements
  VKP_T scalar;          // takes the place of `b`
};

// Loads cell `cell` of a sequence of operands that starts with a whole cell.
void vkp_map_load(uvec2 base, uint cell, out uint w[VKP_MAP_IN_WORDS]) {
#if VKP_MAP_IN_WORDS % 4 == 0
  [[unroll]] for (uint i = 0u; i < VKP_MAP_IN_WORDS / 4; ++i) {
    const uvec4 v = VkpWords4(base).v[cell * (VKP_MAP_IN_WORDS / 4) + i];
    [[unroll]] for (uint k = 0u; k < 4u; ++k) w[4u * i + k] = v[k];
  }
#elif VKP_MAP_IN_WORDS == 2
  const uvec2 v = VkpWords2(base).v[cell];
  w[0] = v.x;
  w[1] = v.y;
#else
  [[unroll]] for (uint i = 0u; i < VKP_MAP_IN_WORDS; ++i) {
    w[i] = VkpWords(base).v[cell * VKP_MAP_IN_WORDS + i];
  }
#endif
}

void vkp_map_store(uvec2 base, uint cell, uint w[VKP_MAP_OUT_WORDS]) {
#if VKP_MAP_OUT_WORDS % 4 == 0
  [[unroll]] for (uint i = 0u; i < VKP_MAP_OUT_WORDS / 4; ++i) {
    VkpWords4(base).v[cell * (VKP_MAP_OUT_WORDS / 4) + i] =
        uvec4(w[4u * i], w[4u * i + 1u], w[4u * i + 2u], w[4u * i + 3u]);
  }
#elif VKP_MAP_OUT_WORDS == 2
  VkpWords2(base).v[cell] = uvec2(w[0], w[1]);
#else
  [[unroll]] for (uint i = 0u; i < VKP_MAP_OUT_WORDS; ++i) {
    VkpWords(base).v[cell * VKP_MAP_OUT_WORDS + i] = w[i];
  }
#endif
}

VKP_T vkp_map_operand(uint cell[VKP_MAP_IN_WORDS], uint item) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = cell[item * VKP_WORDS + i];
  return vkp_unpack(w);
}

void vkp_map_store_element(uvec2 base, uint index, VKP_OUT_T x) {
  uint w[VKP_OUT_WORDS];
  vkp_pack(x, w);
#if VKP_OUT_WORDS == 2
  VkpWords2(base).v[index] = uvec2(w[0], w[1]);
#else
  [[unroll]] for (uint i = 0u; i < VKP_OUT_WORDS; ++i) {
    VkpWords(base).v[index * VKP_OUT_WORDS + i] = w[i];
  }
#endif
}

// Does the tile of this workgroup, which has `gl_WorkGroupSize.x * vkp_rows * VKP_MAP_ITEMS`
// elements. Call this once, in a grid of at least count + VKP_MAP_ITEMS - 1 elements.
void vkp_map_tile(VkpMap work) {
  uint head = 0u;  // elements between the start of a cell and the output
#if VKP_MAP_ITEMS > 1
  if (vkp_row_words == 4u) {
    head = (work.out_base.x & (4u * VKP_MAP_OUT_WORDS - 1u)) / (4u * VKP_OUT_WORDS);
  }
#endif
  const uint tile = vkp_group_index();
  const uint tile_items = gl_WorkGroupSize.x * vkp_rows * VKP_MAP_ITEMS;
  const uvec2 first = vkp_mul64(tile, tile_items);
  const uint valid = vkp_clamped_difference(vkp_add64(work.count, head), first, tile_items);
  if (valid == 0u || work.count == uvec2(0u)) return;

  const uvec2 from = vkp_sub64(first, uvec2(head, 0u));
  const uvec2 a = vkp_add64(work.a, vkp_mul64(from, VKP_BYTES));
  const uvec2 b = vkp_add64(work.b, vkp_mul64(from, VKP_BYTES));
  const uvec2 to = vkp_add64(work.out_base, vkp_mul64(from, 4u * VKP_OUT_WORDS));
  if (vkp_row_words == 4u && valid == tile_items && (tile != 0u || head == 0u)) {
    uint cell_a[vkp_rows][VKP_MAP_IN_WORDS];
    uint cell_b[vkp_rows][VKP_MAP_IN_WORDS];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      vkp_map_load(a, vkp_move(i), cell_a[i]);
      if (vkp_map_inputs == 2u) vkp_map_load(b, vkp_move(i), cell_b[i]);
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      uint result[VKP_MAP_OUT_WORDS];
      [[unroll]] for (uint k = 0u; k < VKP_MAP_ITEMS; ++k) {
        VKP_T y = work.scalar;
        if (vkp_map_inputs == 2u) y = vkp_map_operand(cell_b[i], k);
        uint w[VKP_OUT_WORDS];
        vkp_pack(vkp_map(vkp_map_operand(cell_a[i], k), y), w);
        [[unroll]] for (uint j = 0u; j < VKP_OUT_WORDS; ++j) result[k * VKP_OUT_WORDS + j] = w[j];
      }
      vkp_map_store(to, vkp_move(i), result);
    }
  } else {
    const uint begin = tile == 0u ? head : 0u;
    VKP_T x[vkp_rows * VKP_MAP_ITEMS];
    VKP_T y[vkp_rows * VKP_MAP_ITEMS];
    [[unroll]] for (uint i = 0u; i < vkp_rows * VKP_MAP_ITEMS; ++i) {
      const uint item = vkp_move(i);
      y[i] = work.scalar;
      if (item >= begin && item < valid) {
        x[i] = vkp_load_element(a, item);
        if (vkp_map_inputs == 2u) y[i] = vkp_load_element(b, item);
      }
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows * VKP_MAP_ITEMS; ++i) {
      const uint item = vkp_move(i);
      if (item >= begin && item < valid) vkp_map_store_element(to, item, vkp_map(x[i], y[i]));
    }
  }
}

#endif

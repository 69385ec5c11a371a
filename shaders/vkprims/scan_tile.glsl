// Scan of tiles, for any monoid over VKP_T: what the kernels of scan, in both schedules, are made of.
//
// A tile is a run of cells (cells.glsl), vkp_rows for each invocation. It is loaded once, in rows of
// neighbouring lanes, into shared memory; there each invocation owns vkp_rows cells in a row, folds them, and
// after one scan over the invocations' folds has all it needs but the prefix of the tile. Nothing is held in
// registers while the prefix is on its way. Results go back through shared memory, so that stores are rows
// again. With an odd number of cells per invocation both orders are free of bank conflicts.
//
// The order of combination within a tile depends on its shape only.
//
// Needs a type and a monoid, as reduce.glsl. Specialization: VKP_SPEC_ROWS (cells per invocation),
// VKP_SPEC_ROW_WORDS (4: in and out are the same number of elements from a multiple of 16 bytes),
// VKP_SCAN_SPEC_INCLUSIVE, and VKP_ITEM_BYTES_CONSTANT (cells.glsl), if defined.
#ifndef VKPRIMS_SCAN_TILE_GLSL
#define VKPRIMS_SCAN_TILE_GLSL

#include "cells.glsl"
#include "scan.h"
#include "workgroup.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint vkp_rows = 1;
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint vkp_row_words = 4;
layout(constant_id = VKP_SCAN_SPEC_INCLUSIVE) const uint vkp_inclusive = 0;

const uint vkp_tile_cells = gl_WorkGroupSize.x * vkp_rows;
const uint vkp_tile_items = vkp_tile_cells * VKP_CELL_ITEMS;

shared uvec4 vkp_parked[VKP_CELL_VECTORS * vkp_tile_cells];

struct VkpScan {
  uvec2 in_base, out_base;  // first elements
  uvec2 count;
};

void vkp_park(uint cell, VkpCell c) {
  [[unroll]] for (uint i = 0u; i < VKP_CELL_VECTORS; ++i) vkp_parked[i * vkp_tile_cells + cell] = c.v[i];
}

VkpCell vkp_parked_cell(uint cell) {
  VkpCell c;
  [[unroll]] for (uint i = 0u; i < VKP_CELL_VECTORS; ++i) c.v[i] = vkp_parked[i * vkp_tile_cells + cell];
  return c;
}

// gl_LocalInvocationIndex need not follow the lanes: number the invocations by subgroup.
uint vkp_rank() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// Tiles of the sequence.
uint vkp_scan_tiles(VkpScan scan) {
  if (scan.count == uvec2(0u)) return 0u;
  // A tile is vkp_rows times a power of two; divide by the power first, which leaves 32 bits.
  const uint shift = uint(findLSB(gl_WorkGroupSize.x * VKP_CELL_ITEMS));
  const uvec2 items = vkp_add64(scan.count, vkp_cell_head(scan.in_base));
  const uint rows = vkp_shr64(vkp_add64(items, (1u << shift) - 1u), shift).x;
  return (rows + vkp_rows - 1u) / vkp_rows;
}

// The input of `tiles` tiles from `tile` on; tiles * vkp_tile_items must stay below 2^31.
VkpItems vkp_scan_items(VkpScan scan, uint tile, uint tiles) {
  const uint head = vkp_cell_head(scan.in_base);
  const uvec2 first = vkp_mul64(tile, vkp_tile_items);
  VkpItems items;
  items.base = vkp_add64(vkp_sub64(scan.in_base, uvec2(head * vkp_item_bytes, 0u)),
                         vkp_mul64(first, vkp_item_bytes));
  items.begin = tile == 0u ? head : 0u;
  items.end = vkp_clamped_difference(vkp_add64(scan.count, head), first, tiles * vkp_tile_items);
  return items;
}

bool vkp_whole(VkpItems items, uint tiles) {
  return items.begin == 0u && items.end == tiles * vkp_tile_items;
}

// Loads a tile to shared memory. A barrier must follow.
void vkp_load_tile(VkpItems items) {
  const uint rank = vkp_rank();
  if (vkp_whole(items, 1u)) {
    VkpCell ahead[vkp_rows];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      ahead[i] = vkp_load_whole_cell(items.base, i * gl_WorkGroupSize.x + rank);
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) vkp_park(i * gl_WorkGroupSize.x + rank, ahead[i]);
  } else {
    for (uint i = 0u; i < vkp_rows; ++i) {
      const uint cell = i * gl_WorkGroupSize.x + rank;
      vkp_park(cell, vkp_load_cell(items, cell));
    }
  }
}

// The fold of this invocation's cells.
VKP_T vkp_fold_parked() {
  const uint first = vkp_rank() * vkp_rows;
  VKP_T x = vkp_fold_cell(vkp_parked_cell(first));
  for (uint i = 1u; i < vkp_rows; ++i) x = vkp_combine(x, vkp_fold_cell(vkp_parked_cell(first + i)));
  return x;
}

// Scans this invocation's cells, in place, after `before`. A barrier must follow.
void vkp_scan_parked(VKP_T before) {
  const uint first = vkp_rank() * vkp_rows;
  for (uint i = 0u; i < vkp_rows; ++i) {
    VkpCell c = vkp_parked_cell(first + i);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const VKP_T after = vkp_combine(before, vkp_cell_item(c, k));
      VKP_T result = before;
      if (vkp_inclusive != 0u) result = after;
      vkp_set_cell_item(c, k, result);
      before = after;
    }
    vkp_park(first + i, c);
  }
}

// Stores the tile that lies in shared memory: `items` is its input.
void vkp_store_tile(VkpScan scan, uint tile, VkpItems items) {
  const uint rank = vkp_rank();
  const bool whole = vkp_whole(items, 1u);
  const uint head = vkp_cell_head(scan.in_base) * VKP_BYTES;
  items.base = vkp_add64(vkp_sub64(scan.out_base, uvec2(head, 0u)),
                         vkp_mul64(vkp_mul64(tile, vkp_tile_items), VKP_BYTES));
  if (whole && vkp_row_words == 4u) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      const uint cell = i * gl_WorkGroupSize.x + rank;
      vkp_store_whole_cell(items.base, cell, vkp_parked_cell(cell));
    }
    return;
  }
#if VKP_WORDS <= 2
  // Output rows that are aligned in memory lie `shift` words before the cells.
  const uint shift = (items.base.x / 4u) % 4u;
  if (whole && shift != 0u) {
    const uvec2 rows_base = vkp_sub64(items.base, uvec2(4u * shift, 0u));
    for (uint i = 0u; i < vkp_rows; ++i) {
      const uint cell = i * gl_WorkGroupSize.x + rank;
      if (cell == 0u) continue;
      const uvec4 left = vkp_parked[cell - 1u];
      const uvec4 right = vkp_parked[cell];
      uvec4 row = uvec4(left.w, right.xyz);
      if (shift == 2u) row = uvec4(left.zw, right.xy);
      if (shift == 3u) row = uvec4(left.yzw, right.x);
      VkpWords4(rows_base).v[cell] = row;
    }
    // The first words of the first cell and the last ones of the last.
    const uint last = vkp_tile_cells - 1u;
    if (rank < 4u - shift) VkpWords(items.base).v[rank] = vkp_parked[0][rank];
    if (rank >= 4u - shift && rank < 4u) VkpWords(items.base).v[4u * last + rank] = vkp_parked[last][rank];
    return;
  }
#endif
  for (uint i = 0u; i < vkp_rows; ++i) {
    const uint cell = i * gl_WorkGroupSize.x + rank;
    vkp_store_cell(items, cell, vkp_parked_cell(cell));
  }
}

// The fold of `tiles` tiles from `tile` on, straight from memory, to every invocation: each subgroup folds
// a contiguous part row by row. Bit-identical whichever workgroup does it.
VKP_T vkp_fold_tiles(VkpScan scan, uint tile, uint tiles) {
  const VkpItems items = vkp_scan_items(scan, tile, tiles);
  const bool whole = vkp_whole(items, tiles);
  const uint first = gl_SubgroupID * gl_SubgroupSize * vkp_rows * tiles + gl_SubgroupInvocationID;
  VKP_T sum = vkp_identity();
  for (uint t = 0u; t < tiles; ++t) {
    VkpCell ahead[vkp_rows];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      const uint cell = first + (t * vkp_rows + i) * gl_SubgroupSize;
      if (whole) {
        ahead[i] = vkp_load_whole_cell(items.base, cell);
      } else {
        ahead[i] = vkp_load_cell(items, cell);
      }
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      sum = vkp_combine(sum, vkp_subgroup_fold(vkp_fold_cell(ahead[i])));
    }
  }
  return vkp_fold_subgroups(sum);
}

#endif

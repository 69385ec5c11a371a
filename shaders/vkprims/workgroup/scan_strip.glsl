// Scan of strips, for any monoid over VKP_T: the building blocks of all scan kernels.
//
// A row is one cell (cells.glsl) of every lane of a subgroup, neighbours in memory; a batch is the
// VKP_SPEC_ROWS rows that a subgroup has in flight; a strip is a run of batches, owned by one
// subgroup. A strip is read twice: first it is folded; once it is known what comes before it, it is
// read again, mostly from a cache, and scanned row by row. In between nothing of it is kept in
// registers or shared memory, so many strips can wait for their prefix at a time.
//
// The order of combination within a strip depends only on its shape.
//
// Needs a type and a monoid, as reduce.glsl does. Specialization: VKP_SPEC_ROWS; VKP_SPEC_ROW_WORDS
// (4: input and output begin the same number of elements behind a multiple of 16 bytes); and the
// constants of scan.h.
#ifndef VKPRIMS_SCAN_STRIP_GLSL
#define VKPRIMS_SCAN_STRIP_GLSL

#include "vkprims/device/scan.h"
#include "vkprims/memory/cells.glsl"
#define VKP_OUT_BYTES VKP_BYTES
#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/workgroup/workgroup.glsl"

#include "vkprims/workgroup/strips.glsl"

// Returns this lane's cell `row` of a batch; its cells are one of each row, or neighbours.
uint vkp_batch_cell(uint batch, uint row) {
  return batch * vkp_rows * gl_SubgroupSize + vkp_cell_of_lane(row, vkp_rows);
}

void vkp_load_batch(VkpStrip strip, uint batch, out VkpCell cells[vkp_rows]) {
  if (vkp_whole(strip)) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      cells[i] = vkp_load_whole_cell(strip.in_base, vkp_batch_cell(batch, i));
    }
  } else {
    const VkpItems items = VkpItems(strip.in_base, strip.begin, strip.end);
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      cells[i] = vkp_load_cell(items, vkp_batch_cell(batch, i));
    }
  }
}

// Returns the fold of a strip to all its lanes; it is bit-identical whichever workgroup computes
// it. Batches are folded from the last to the first, as the first will be read next and is then
// still in a cache.
VKP_T vkp_fold_strip(VkpStrip strip) {
  VKP_T sum = vkp_identity();
  for (uint batch = strip.batches; batch > 0u; --batch) {
    VkpCell cells[vkp_rows];
    vkp_load_batch(strip, batch - 1u, cells);
    [[unroll]] for (uint i = vkp_rows; i > 0u; --i) {
      const VKP_T x = vkp_fold_cell(cells[i - 1u]);
      sum = vkp_combine(vkp_commutes != 0u ? x : vkp_subgroup_fold(x), sum);
    }
  }
  return vkp_commutes != 0u ? vkp_subgroup_fold(sum) : sum;
}

// Scans a row in place after `before`, which becomes what comes before the next row.
void vkp_scan_row(inout VkpCell cell, inout VKP_T before) {
  const VKP_T upto = vkp_subgroup_inclusive_scan(vkp_fold_cell(cell));
  VKP_T running = vkp_shuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
  if (gl_SubgroupInvocationID == 0u) running = vkp_identity();
  running = vkp_combine(before, running);
  before = vkp_combine(before, vkp_shuffle(upto, gl_SubgroupSize - 1u));
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    const VKP_T next = vkp_combine(running, vkp_cell_item(cell, k));
    vkp_set_cell_item(cell, k, vkp_inclusive != 0u ? next : running);
    running = next;
  }
}

// Where a strip is stored, row after row.
struct VkpOutRows {
  uvec2 base;
  uint begin, end;
  bool whole;
  uint shift;  // words behind a multiple of 16 bytes
  uvec4 tail;  // the last cell of the row before, if `shift` is not 0
};

VkpOutRows vkp_out_rows(VkpStrip strip) {
  // Larger elements are stored one by one.
  const uint shift =
      VKP_WORDS > 2 || vkp_row_words == 4u ? 0u : (strip.out_base.x / 4u) % 4u;
  return VkpOutRows(strip.out_base, strip.begin, strip.end, vkp_whole(strip), shift, uvec4(0u));
}

#if VKP_WORDS <= 2
// Stores a row of whole cells that do not lie on a multiple of 16 bytes, by 16 aligned bytes at a
// time: the last words of the lane before, then the first words of this lane.
void vkp_store_shifted_row(inout VkpOutRows rows, uint index, VkpCell cell) {
  const uint lane_before = max(gl_SubgroupInvocationID, 1u) - 1u;
  uvec4 left;
  [[unroll]] for (uint i = 1u; i < 4u; ++i) left[i] = subgroupShuffle(cell.v[0][i], lane_before);
  if (gl_SubgroupInvocationID == 0u) left = rows.tail;
  [[unroll]] for (uint i = 1u; i < 4u; ++i) {
    rows.tail[i] = subgroupShuffle(cell.v[0][i], gl_SubgroupSize - 1u);
  }
  const uvec4 right = cell.v[0];
  uvec4 row = uvec4(left.w, right.xyz);
  if (rows.shift == 2u) row = uvec4(left.zw, right.xy);
  if (rows.shift == 3u) row = uvec4(left.yzw, right.x);
  if (index != 0u) {
    VkpWords4(vkp_sub64(rows.base, uvec2(4u * rows.shift, 0u))).v[index] = row;
  } else {
    for (uint i = 0u; i < 4u - rows.shift; ++i) VkpWords(rows.base).v[i] = right[i];
  }
}
#endif

// Stores this lane's cell of the next row, which is cell `index`.
void vkp_store_row(inout VkpOutRows rows, uint index, VkpCell cell) {
  if (!rows.whole) {
    vkp_store_cell(VkpItems(rows.base, rows.begin, rows.end), index, cell);
  } else if (rows.shift == 0u) {
    vkp_store_whole_cell(rows.base, index, cell);
  } else {
#if VKP_WORDS <= 2
    vkp_store_shifted_row(rows, index, cell);
#endif
  }
}

// Called after the last row.
void vkp_finish_rows(VkpOutRows rows) {
#if VKP_WORDS <= 2
  // This is the end of the last cell.
  if (rows.whole && rows.shift != 0u && gl_SubgroupInvocationID == 0u) {
    const uint end = rows.end * VKP_WORDS;
    for (uint i = 4u - rows.shift; i < 4u; ++i) VkpWords(rows.base).v[end - 4u + i] = rows.tail[i];
  }
#endif
}

// Loads a batch and scans it after `before`, which becomes what comes before the next batch.
void vkp_scan_batch(VkpStrip strip, uint batch, inout VKP_T before, out VkpCell cells[vkp_rows]) {
  vkp_load_batch(strip, batch, cells);
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) vkp_scan_row(cells[i], before);
}

// What a lane has of a batch.
#define VKP_CELLS VkpCell[vkp_rows]

// Puts `prefix` before the elements of cells that have been scanned.
void vkp_prefix_cells(VKP_T prefix, inout VkpCell cells[vkp_rows]) {
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      vkp_set_cell_item(cells[i], k, vkp_combine(prefix, vkp_cell_item(cells[i], k)));
    }
  }
}

// Scans a strip to the output, from batch `first` on; if that is not 0, `cells` has the first
// batch, which is already scanned. `before` is what comes before batch `first`.
void vkp_scan_strip(VkpStrip strip, uint first, VkpCell cells[vkp_rows], VKP_T before) {
  VkpOutRows out_rows = vkp_out_rows(strip);
  for (uint batch = 0u; batch < strip.batches; ++batch) {
    if (batch >= first) vkp_scan_batch(strip, batch, before, cells);
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      vkp_store_row(out_rows, vkp_batch_cell(batch, i), cells[i]);
    }
  }
  vkp_finish_rows(out_rows);
}

// Returns the folds of a workgroup's strips: of all before this subgroup's, and of all.
VkpGroupScan vkp_fold_strips(const VkpStrip strip) {
  const VKP_T fold = vkp_fold_strip(strip);
  return vkp_scan_subgroups(fold);
}

#endif

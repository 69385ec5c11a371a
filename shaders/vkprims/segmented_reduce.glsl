// Fold of every segment of a sequence, for any monoid over VKP_T: three dispatches, or one if a tile has room for
// everything. Waits for nobody; the order of combination depends on sizes, offsets and alignment only.
//
// 1. Where tiles of equal work begin: vkp_segmented_starts() of merge_path.glsl.
// 2. Each workgroup folds the segments of its tile: vkp_segmented_tile(). The ends of segments that the tile holds
//    are loaded side by side and leave a bit in shared memory where the next segment begins. Values are loaded as
//    whole cells of 16 bytes and turned over to the lanes in shared memory, so that each lane has neighbours. It
//    folds them one by one and leaves at each such bit what the segment has come to before it: the invocation that has
//    an end takes it there and stores results side by side. The first end of a tile may belong to a segment that
//    began in earlier tiles: its fold is left for the next dispatch, as is that of the values behind the last end.
// 3. A segmented scan over what the tiles left gives the result of the first end of each: vkp_segmented_fix_up(), a
//    tile per invocation; what goes from workgroup to workgroup is added by the one that finishes last.
//
// Source: D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication" (2016); S. Baxter's
// moderngpu. A subgroup has VKP_SPEC_ROWS rows of one cell per lane, neighbours in memory.
//
// Needs a type and a monoid, as reduce.glsl, and
//   void vkp_finish(uvec2 segment, VKP_T total)   stores the result of a segment. Once for each
// Define VKP_OWN_VALUES for values that are not loaded from memory as they are, and behind the #include
//   VkpCell vkp_load_values(VkpItems items, uint cell, bool whole)
// Specialization: VKP_SPEC_ROWS, those of segmented_reduce.h.
#ifndef VKPRIMS_SEGMENTED_REDUCE_GLSL
#define VKPRIMS_SEGMENTED_REDUCE_GLSL

#include "cells.glsl"
#include "last_group.glsl"
#include "merge_path.glsl"
#include "segmented.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint vkp_rows = 1;
layout(constant_id = VKP_SEGMENTED_SPEC_ALONE) const uint vkp_alone = 0;

#define VKP_TILE_CELLS (gl_WorkGroupSize.x * vkp_rows)
#define VKP_HEAD_WORDS ((VKP_TILE_CELLS * VKP_CELL_ITEMS + 31u) / 32u)

struct VkpSegmented {
  uvec2 values;   // address
  uvec2 scratch;  // nothing if a tile has everything
  uint max_tiles;
};

uvec2 vkp_segmented_record(VkpSegmented work, uint i) {
  return vkp_add64(vkp_add64(work.scratch, VKP_SEGMENTED_RECORDS_OFFSET),
                   vkp_mul64(i, VKP_SEGMENTED_RECORD_BYTES(VKP_BYTES)));
}
uvec2 vkp_segmented_header(VkpSegmented work, uint offset) {
  return VkpWords2(vkp_add64(work.scratch, offset)).v[0];
}

// Items of a tile: its values may begin at any element of a cell.
uint vkp_segmented_items() { return VKP_TILE_CELLS * VKP_CELL_ITEMS - (VKP_CELL_ITEMS - 1u); }

// ---- A tile.

shared uint vkp_tile_heads[VKP_HEAD_WORDS];                      // a bit for each item, counted from the first cell
// Cells on their way to the lanes; then, where a segment begins, what the one before has come to.
shared uvec4 vkp_tile_cells[VKP_TILE_CELLS * VKP_CELL_VECTORS];

// Where vector j of a cell is: lanes that each read a run of cells meet few bank conflicts.
uint vkp_tile_cell(uint cell, uint j) { return (cell ^ ((cell >> 3u) & 7u)) * VKP_CELL_VECTORS + j; }

uint vkp_cell_heads(uint cell) {
  const uint bit = cell * VKP_CELL_ITEMS;
  return (vkp_tile_heads[bit / 32u] >> (bit % 32u)) & ((1u << VKP_CELL_ITEMS) - 1u);
}

VKP_T vkp_load_fold_before(uint item) {
  VkpCell cell;
  [[unroll]] for (uint i = 0u; i < VKP_CELL_VECTORS; ++i) {
    cell.v[i] = vkp_tile_cells[vkp_tile_cell(item / VKP_CELL_ITEMS, i)];
  }
  return vkp_cell_item(cell, item % VKP_CELL_ITEMS);
}

void vkp_store_fold_before(uint item, VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
    const uint word = item % VKP_CELL_ITEMS * VKP_WORDS + i;
    vkp_tile_cells[vkp_tile_cell(item / VKP_CELL_ITEMS, word / 4u)][word % 4u] = w[i];
  }
}

#ifdef VKP_OWN_VALUES
VkpCell vkp_load_values(VkpItems items, uint cell, bool whole);
#else
VkpCell vkp_load_values(VkpItems items, uint cell, bool whole) {
  if (whole) return vkp_load_whole_cell(items.base, cell);
  return vkp_load_cell(items, cell);
}
#endif

void vkp_finish(uvec2 segment, VKP_T total);

// This lane's cell of a row of its subgroup.
uint vkp_row_cell(uint row) {
  return (gl_SubgroupID * vkp_rows + row) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

void vkp_load_rows(VkpItems items, out VkpCell cells[vkp_rows]) {
  const uint row_items = gl_SubgroupSize * VKP_CELL_ITEMS;
  const uint begin = gl_SubgroupID * vkp_rows * row_items;
  // One branch for all rows: loads on both sides of a branch would not be under way together.
  if (items.begin <= begin && begin + vkp_rows * row_items <= items.end) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      cells[i] = vkp_load_values(items, vkp_row_cell(i), true);
    }
  } else {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      cells[i] = vkp_load_values(items, vkp_row_cell(i), false);
    }
  }
}

// From rows of cells to a run of neighbours for every lane; gives the first of them.
uint vkp_turn_over(inout VkpCell cells[vkp_rows]) {
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint j = 0u; j < VKP_CELL_VECTORS; ++j) {
      vkp_tile_cells[vkp_tile_cell(vkp_row_cell(i), j)] = cells[i].v[j];
    }
  }
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  const uint first = (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID) * vkp_rows;
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint j = 0u; j < VKP_CELL_VECTORS; ++j) {
      cells[i].v[j] = vkp_tile_cells[vkp_tile_cell(first + i, j)];
    }
  }
  return first;
}

// Leaves at each head of a tile the fold of the segment before it; returns the fold behind the last head.
VKP_T vkp_fold_cells(VkpCell cells[vkp_rows]) {
  const uint first = vkp_turn_over(cells);
  // Only this lane uses the places of its cells from here on.
  VKP_T x = vkp_identity();
  uint first_head = 0xffffffffu;
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    const uint heads = vkp_cell_heads(first + i);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if ((heads >> k & 1u) != 0u) {
        vkp_store_fold_before((first + i) * VKP_CELL_ITEMS + k, x);
        x = vkp_identity();
      }
      x = vkp_combine(x, vkp_cell_item(cells[i], k));
    }
    if (heads != 0u) first_head = min(first_head, (first + i) * VKP_CELL_ITEMS + uint(findLSB(heads)));
  }
  const bool has_head = first_head != 0xffffffffu;
  const VkpRunScan lanes = vkp_scan_lane_runs(VkpRun(has_head, x));
  const VkpRunScan group = vkp_scan_subgroup_runs(lanes.total);
  if (has_head) {
    const VKP_T before = vkp_join(group.before, lanes.before).value;
    vkp_store_fold_before(first_head, vkp_combine(before, vkp_load_fold_before(first_head)));
  }
  return group.total.value;
}

// Where segment `segment + i` of a tile ends, in items from its first cell.
uint vkp_tile_end(VkpOffsets segments, VkpMergeTile tile, uint head, uint i) {
  const uvec2 offset = vkp_offset(segments.offsets, vkp_add64(vkp_add64(tile.segment, i), 1u));
  return head + vkp_clamped_difference(offset, vkp_add64(segments.first, tile.value), tile.values);
}

void vkp_fold_tile(VkpSegmented work, VkpOffsets segments, VkpMergeTile tile, uint index) {
  const uvec2 first = vkp_add64(segments.first, tile.value);
  const uvec2 base = vkp_add64(work.values, vkp_mul64(first, VKP_BYTES));
  const uint head = vkp_cell_head(base);
  const VkpItems items = VkpItems(vkp_sub64(base, uvec2(head * VKP_BYTES, 0u)), head, head + tile.values);
  VkpCell cells[vkp_rows];
  vkp_load_rows(items, cells);

  for (uint i = 0u; i < VKP_HEAD_WORDS; i += gl_WorkGroupSize.x) {
    if (i + gl_LocalInvocationIndex < VKP_HEAD_WORDS) vkp_tile_heads[i + gl_LocalInvocationIndex] = 0u;
  }
  barrier();
  for (uint i = 0u; i < tile.ends; i += gl_WorkGroupSize.x) {
    if (i + gl_LocalInvocationIndex < tile.ends) {
      const uint end = vkp_tile_end(segments, tile, head, i + gl_LocalInvocationIndex);
      // Also behind the last value, so that nothing is left over where a segment ends there: a tile that has an end
      // has an item less for values, so there is an identity in the cells (and too few only for bad offsets).
      if (end < VKP_TILE_CELLS * VKP_CELL_ITEMS) atomicOr(vkp_tile_heads[end / 32u], 1u << (end % 32u));
    }
  }
  barrier();
  const VKP_T rest = vkp_fold_cells(cells);
  barrier();
  const uvec2 folds = vkp_add64(vkp_segmented_record(work, index), 8u);
  for (uint i = 0u; i < tile.ends; i += gl_WorkGroupSize.x) {
    const uint j = i + gl_LocalInvocationIndex;
    if (j < tile.ends) {
      const uint begin = j == 0u ? items.begin : vkp_tile_end(segments, tile, head, j - 1u);
      const uint end = vkp_tile_end(segments, tile, head, j);
      VKP_T x = vkp_identity();
      if (begin < end) x = vkp_load_fold_before(min(end, VKP_TILE_CELLS * VKP_CELL_ITEMS - 1u));
      if (j == 0u && vkp_alone == 0u) {
        vkp_store_element(folds, 0u, x);
      } else {
        vkp_finish(vkp_add64(tile.segment, j), x);
      }
    }
  }
  if (gl_LocalInvocationIndex == 0u && vkp_alone == 0u) vkp_store_element(folds, 1u, rest);
}

// The second dispatch, a workgroup per tile.
void vkp_segmented_tile(VkpSegmented work, uvec2 offsets) {
  const uint index = vkp_group_index();
  // All loads before the branch, so that they are under way together; surplus workgroups have no record.
  const uvec2 items = vkp_segmented_header(work, VKP_SEGMENTED_ITEMS_OFFSET);
  const uvec2 first = vkp_segmented_header(work, VKP_SEGMENTED_FIRST_OFFSET);
  const uvec2 ends_before = VkpWords2(vkp_segmented_record(work, min(index, work.max_tiles))).v[0];
  const uvec2 ends_upto = VkpWords2(vkp_segmented_record(work, min(index + 1u, work.max_tiles))).v[0];
  const uvec2 begin = vkp_mul64(index, vkp_segmented_items());
  if (!vkp_less64(begin, items)) return;
  const uvec2 end = vkp_min64(vkp_add64(begin, vkp_segmented_items()), items);
  VkpOffsets segments;  // its numbers of segments and values are of no further use
  segments.offsets = offsets;
  segments.first = first;
  vkp_fold_tile(work, segments,
                vkp_merge_tile(begin, ends_before, end, ends_upto, vkp_segmented_items()), index);
}

// The only dispatch, where one tile has room for everything.
void vkp_segmented_alone(VkpSegmented work, VkpOffsets segments) {
  const uint ends = vkp_min64(segments.count, uvec2(vkp_segmented_items(), 0u)).x;
  const uint values = vkp_min64(segments.values, uvec2(vkp_segmented_items() - ends, 0u)).x;
  vkp_fold_tile(work, segments, VkpMergeTile(uvec2(0u), uvec2(0u), ends, values), 0u);
}

// ---- The fix-up.

// Parts of the merged sequence: `stride` tiles each, their folds in records from `folds` on. Whoever finishes last
// sees those of all workgroups (last_group.glsl): loads are atomic.
struct VkpParts {
  uint begin, end;
  uint run;  // of parts per invocation
  uint stride, folds;
  uint tiles;
};

// A fold of a part: 0 up to its first end, 1 behind its last end.
VKP_T vkp_part_fold(VkpSegmented work, VkpParts parts, uint part, uint which) {
  const uvec2 record = vkp_segmented_record(work, parts.folds + part);
  return vkp_load_shared_element(vkp_add64(record, 8u), which);
}

VkpRun vkp_part_rest(VkpSegmented work, VkpParts parts, uint part, out uvec2 segment) {
  const uint next = min((part + 1u) * parts.stride, parts.tiles);
  segment = VkpWords2(vkp_segmented_record(work, part * parts.stride)).v[0];
  const bool ends = vkp_less64(segment, VkpWords2(vkp_segmented_record(work, next)).v[0]);
  return VkpRun(ends, vkp_part_fold(work, parts, part, 1u));
}

shared uint vkp_first[VKP_WORDS];

// Finishes the segments that end first in each part, but the very first of them unless nothing comes before:
// its fold goes to vkp_first. Returns what is behind the last end.
VKP_T vkp_fix_up_parts(VkpSegmented work, VkpParts parts, bool first) {
  // gl_LocalInvocationIndex need not follow the lanes: number the invocations by subgroup.
  const uint from =
      parts.begin + (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID) * parts.run;
  uvec2 segment;
  VkpRun own = vkp_no_run();
  for (uint i = from; i < from + parts.run; ++i) {
    if (i < parts.end) own = vkp_join(own, vkp_part_rest(work, parts, i, segment));
  }
  const VkpRunScan lanes = vkp_scan_lane_runs(own);
  const VkpRunScan group = vkp_scan_subgroup_runs(lanes.total);
  VkpRun before = vkp_join(group.before, lanes.before);
  for (uint i = from; i < from + parts.run; ++i) {
    if (i < parts.end) {
      const VkpRun rest = vkp_part_rest(work, parts, i, segment);
      if (rest.head) {
        const VKP_T total = vkp_combine(before.value, vkp_part_fold(work, parts, i, 0u));
        if (first || before.head) {
          vkp_finish(segment, total);
        } else {
          uint w[VKP_WORDS];
          vkp_pack(total, w);
          [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) vkp_first[k] = w[k];
        }
      }
      before = vkp_join(before, rest);
    }
  }
  return group.total.value;
}

// The third dispatch: an invocation per tile, then in the workgroup that finishes last the workgroups as parts.
void vkp_segmented_fix_up(VkpSegmented work) {
  const uint tiles = vkp_segmented_header(work, VKP_SEGMENTED_TILES_OFFSET).x;
  const uint groups = tiles / gl_WorkGroupSize.x + uint(tiles % gl_WorkGroupSize.x != 0u);
  const uint group = vkp_group_index();
  if (group >= groups) return;
  const uint begin = group * gl_WorkGroupSize.x;
  VkpParts parts = VkpParts(begin, begin + min(gl_WorkGroupSize.x, tiles - begin), 1u, 1u, 0u, tiles);
  bool done = false;
  for (uint level = 0u; level < 2u && !done; ++level) {  // one copy of the code, which is long to compile
    const bool first = level == 1u || groups == 1u;
    const VKP_T rest = vkp_fix_up_parts(work, parts, first);
    barrier();
    done = first;
    if (!done) {
      if (gl_LocalInvocationIndex == 0u) {
        uint w[VKP_WORDS];
        [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) w[k] = vkp_first[k];
        const uvec2 record = vkp_segmented_record(work, work.max_tiles + 1u + group);
        vkp_store_shared_element(vkp_add64(record, 8u), 0u, vkp_unpack(w));
        vkp_store_shared_element(vkp_add64(record, 8u), 1u, rest);
      }
      done = !vkp_last_group(vkp_add64(work.scratch, VKP_SEGMENTED_FINISHED_OFFSET), groups);
      const uint run = (groups + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
      parts = VkpParts(0u, groups, run, gl_WorkGroupSize.x, work.max_tiles + 1u, tiles);
    }
  }
}

#endif

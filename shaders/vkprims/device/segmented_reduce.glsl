// Folds every segment of a sequence, for any monoid over VKP_T, in three dispatches, in two if
// there are few tiles, or in one if a tile has room for everything. No workgroup waits for another;
// the order of combination depends only on sizes, offsets and alignment.
//
// 1. vkp_segmented_starts() of merge_path.glsl finds where tiles of equal work begin. Few tiles
//    find that themselves (merge_tiles.glsl).
// 2. vkp_segmented_tile(): each workgroup folds the segments of its tile. The ends of segments in
//    the tile are loaded side by side, and each sets a bit in shared memory where the next segment
//    begins. Values are loaded as whole cells of 16 bytes and handed over through shared memory, so
//    that each lane has neighbours. The lane folds them one by one and stores at each value the
//    fold of its segment so far: the invocation that has an end reads it at the last value, and
//    results are stored side by side. The first end of a tile may belong to a segment that began
//    in earlier tiles; its fold is left for the next dispatch, as is the fold of the values behind
//    the last end.
// 3. vkp_segmented_fix_up(): a segmented scan over what the tiles left, with one tile per
//    invocation, gives the result of the first end of each tile. The workgroup that finishes last
//    adds what goes from workgroup to workgroup.
//
// Source: D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication"
// (2016); S. Baxter's moderngpu. A subgroup has VKP_SPEC_ROWS rows of one cell per lane, neighbours
// in memory.
//
// Needs a type and a monoid, as reduce.glsl does, and
//   void vkp_finish(uvec2 segment, VKP_T total)   stores the result of a segment; called once for
//                                                 each segment
// For values that are not loaded from memory as they are, define VKP_OWN_VALUES and, behind the
// #include, vkp_load_values() and vkp_load_value(). Specialization: VKP_SPEC_ROWS, and the
// constants of segmented_reduce.h.
#ifndef VKPRIMS_SEGMENTED_REDUCE_GLSL
#define VKPRIMS_SEGMENTED_REDUCE_GLSL

#include "vkprims/memory/cells.glsl"
#include "vkprims/device/last_group.glsl"
#include "vkprims/device/merge_tiles.glsl"
#include "vkprims/workgroup/segmented_workgroup.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint vkp_rows = 1;

#define VKP_TILE_CELLS (gl_WorkGroupSize.x * vkp_rows)
#define VKP_HEAD_WORDS ((VKP_TILE_CELLS * VKP_CELL_ITEMS + 31u) / 32u)

struct VkpSegmented {
  uvec2 values;   // address
  uvec2 scratch;  // unused if one tile has everything
  uint max_tiles;
};

uvec2 vkp_segmented_record(const VkpSegmented work, const uint i) {
  return vkp_add64(vkp_add64(work.scratch, VKP_SEGMENTED_RECORDS_OFFSET),
                   vkp_mul64(i, VKP_SEGMENTED_RECORD_BYTES(VKP_BYTES)));
}
uvec2 vkp_segmented_header(VkpSegmented work, uint offset) {
  return VkpWords2(vkp_add64(work.scratch, offset)).v[0];
}

// The number of items of a tile; its values may begin at any element of a cell.
uint vkp_segmented_items() { return VKP_TILE_CELLS * VKP_CELL_ITEMS - (VKP_CELL_ITEMS - 1u); }

#include "vkprims/device/segmented_tiles.glsl"

// ---- The fix-up.

// Parts of the merged sequence: each is `stride` tiles, and their folds are in the records from
// `folds` on. The workgroup that finishes last sees those of all workgroups (last_group.glsl), as
// loads are atomic.
struct VkpParts {
  uint begin, end;
  uint run;  // parts per invocation
  uint stride, folds;
  uint tiles;
};

// Returns a fold of a part: 0 is the one up to its first end, 1 the one behind its last end.
VKP_T vkp_part_fold(const VkpSegmented work, const VkpParts parts, const uint part,
                    const uint which) {
  const uvec2 record = vkp_segmented_record(work, parts.folds + part);
  return vkp_load_shared_element(vkp_add64(record, 8u), which);
}

VkpLaneTail vkp_part_rest(VkpSegmented work, VkpParts parts, uint part, out uvec2 segment) {
  const uint next = min((part + 1u) * parts.stride, parts.tiles);
  segment = VkpWords2(vkp_segmented_record(work, part * parts.stride)).v[0];
  const bool ends = vkp_less64(segment, VkpWords2(vkp_segmented_record(work, next)).v[0]);
  return VkpLaneTail(ends, vkp_part_fold(work, parts, part, 1u));
}

shared uint vkp_first[VKP_WORDS];

// Finishes the segments that end first in each part. If parts come before these, the very first
// segment is not finished, and its fold goes to vkp_first. Returns the fold behind the last end.
VKP_T vkp_fix_up_parts(VkpSegmented work, VkpParts parts, bool first) {
  const uint from = parts.begin + vkp_invocation() * parts.run;
  uvec2 segment;
  VkpLaneTail own = vkp_no_lane_tail();
  for (uint i = from; i < from + parts.run; ++i) {
    if (i < parts.end) own = vkp_join(own, vkp_part_rest(work, parts, i, segment));
  }
  const VkpLaneTails lanes = vkp_scan_lane_tails(own);
  const VkpLaneTails group = vkp_scan_subgroup_tails(lanes.total);
  VkpLaneTail before = vkp_join(group.before, lanes.before);
  for (uint i = from; i < from + parts.run; ++i) {
    if (i < parts.end) {
      const VkpLaneTail rest = vkp_part_rest(work, parts, i, segment);
      if (rest.closed) {
        const VKP_T total = vkp_combine(before.value, vkp_part_fold(work, parts, i, 0u));
        if (first || before.closed) {
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

// Does the third dispatch: first with one tile per invocation; then, in the workgroup that finishes
// last, with the workgroups as parts.
void vkp_segmented_fix_up(VkpSegmented work) {
  const uint tiles = vkp_segmented_header(work, VKP_SEGMENTED_TILES_OFFSET).x;
  const uint groups = tiles / gl_WorkGroupSize.x + uint(tiles % gl_WorkGroupSize.x != 0u);
  const uint group = vkp_group_index();
  if (group >= groups) return;
  const uint begin = group * gl_WorkGroupSize.x;
  VkpParts parts =
      VkpParts(begin, begin + min(gl_WorkGroupSize.x, tiles - begin), 1u, 1u, 0u, tiles);
  bool done = false;
  // The loop keeps one copy of the code, which is long to compile.
  for (uint level = 0u; level < 2u && !done; ++level) {
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

// Reduction of runs, for any monoid over VKP_T: makes one result for every run of neighbours that
// belong together (heads.glsl says where runs begin).
//
// Each subgroup has a strip of a tile, vkp_batches batches (scan_strip.glsl). A strip is read
// twice. The first reading finds what the strip leaves to those behind it: how many runs begin in
// it, and the fold from the last beginning on (elements before that are not loaded). The second
// goes batch by batch, once it is known what all strips before leave. Where a run begins, the one
// before it ends, and its result is stored there; so each result is stored by the subgroup that
// sees the end of the run. Results and keys of a batch are packed in the subgroup's stage
// (stage.glsl).
//
// Elements that are only counted do not exist in memory: the length of a run is the difference of
// the numbers at which two runs begin.
//
// Source: the pairs of S. Sengupta, M. Harris, Y. Zhang, J. Owens, "Scan Primitives for GPU
// Computing" (2007), as in segmented_scan_strip.glsl.
//
// Needs a type and a monoid, as reduce.glsl does, and vkp_heads(), as segmented_scan_strip.glsl
// does. Specialization: the constants of segmented_scan_strip.glsl, and VKP_RUNS_SPEC; a lane has
// at most 32 elements of a tile.
#ifndef VKPRIMS_REDUCE_RUNS_GLSL
#define VKPRIMS_REDUCE_RUNS_GLSL

#include "vkprims/core.glsl"
#include "vkprims/device/scan.h"
#include "vkprims/device/segmented_scan.h"

layout(constant_id = VKP_SCAN_SPEC_BATCHES) const uint vkp_batches = 1;
layout(constant_id = VKP_RUNS_SPEC) const uint vkp_runs_spec = 0;
const bool vkp_ones = (vkp_runs_spec & VKP_RUNS_ONES) != 0u;
// Only numbers can be lengths of runs.
#ifndef VKP_OWN_MONOID
#define VKP_COUNTS_ONES
#endif

#define VKP_CELLS_BY_LANE !vkp_ones
#include "vkprims/workgroup/heads.glsl"
#include "vkprims/workgroup/segmented_scan_strip.glsl"
#if VKP_CELL_VECTORS > 1
#define VKP_STAGE_VECTORS VKP_CELL_VECTORS
#endif
#include "vkprims/workgroup/stage.glsl"

struct VkpRunSums {
  VkpScan scan;    // elements (no address if they are only counted); out_base: the results
  uvec2 keys;
  uvec2 out_keys;  // 0: not wanted
};

// What a subgroup knows of a tile.
struct VkpRunTile {
  uint heads;          // bits of this lane's elements at which runs begin, as in stage.glsl
  uint before, total;  // heads before this subgroup's strip, and in the tile
  uint most;           // heads of one strip's batch, at most
  VkpTails tails;      // what the strips before leave, and what all leave
  VKP_T carry;         // what the first batch of the strip leaves, if nothing came before
};

uint vkp_run_tiles(const VkpRunSums s) {
  return (vkp_scan_batches(s.scan) + vkp_batches - 1u) / vkp_batches;
}

VkpStrip vkp_run_strip(VkpRunSums s, uint tile) { return vkp_strip(s.scan, tile, vkp_batches); }

const uint vkp_lane_items = vkp_rows * VKP_CELL_ITEMS;

VKP_T vkp_lane_item(VkpCell cells[vkp_rows], uint i) {
  return vkp_cell_item(cells[i / VKP_CELL_ITEMS], i % VKP_CELL_ITEMS);
}

// Folds the elements of a batch from `begin` on, and puts the result before `sum`.
void vkp_fold_run_batch_from(VkpStrip strip, uint batch, uint begin, inout VKP_T sum) {
  if (!vkp_ones) {
    VkpCell cells[vkp_rows];
    VKP_T x = vkp_identity();
    if ((gl_SubgroupInvocationID + 1u) * vkp_lane_items > begin) {
      vkp_load_batch(strip, batch, cells);
      [[unroll]] for (uint i = 0u; i < vkp_lane_items; ++i) {
        if (vkp_item_of_head(i) >= begin) x = vkp_combine(x, vkp_lane_item(cells, i));
      }
    }
    sum = vkp_combine(vkp_commutes != 0u ? x : vkp_subgroup_fold(x), sum);
    return;
  }
#ifdef VKP_COUNTS_ONES
  const uint first = batch * vkp_batch_items();
  const uint from = max(first + begin, strip.begin);
  const uint end = min(first + vkp_batch_items(), strip.end);
  if (gl_SubgroupInvocationID == 0u && end > from) sum += VKP_T(end - from);
#endif
}

shared uint vkp_strip_heads[VKP_MAX_SUBGROUPS];

// Does the first reading. The result is bit-identical whichever workgroup does it.
VkpRunTile vkp_fold_run_tile(const VkpRunSums s, const uint tile) {
  const VkpStrip strip = vkp_run_strip(s, tile);
  VkpRunTile t;
  t.heads = 0u;
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    t.heads |= vkp_heads(strip, batch) << (batch * vkp_batch_marks);
  }
  t.carry = vkp_identity();
  VkpTail tail = VkpTail(vkp_identity(), false);
  for (uint batch = vkp_batches; batch > 0u; --batch) {
    if (tail.closed) continue;
    const uint last = vkp_items_to_last_head(vkp_marks_of_batch(t.heads, batch - 1u));
    vkp_fold_run_batch_from(strip, batch - 1u, max(last, 1u) - 1u, tail.value);
    tail.closed = last != 0u;
  }
  if (vkp_commutes != 0u || vkp_ones) tail.value = vkp_subgroup_fold(tail.value);
  const uint heads = vkp_sum_of_lanes(bitCount(t.heads));
  barrier();  // others may still read what the last call stored
  if (gl_SubgroupInvocationID == 0u) vkp_strip_heads[gl_SubgroupID] = heads;
  t.tails = vkp_scan_subgroups(tail);
  t.before = 0u;
  t.total = 0u;
  t.most = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i == gl_SubgroupID) t.before = t.total;
    t.total += vkp_strip_heads[i];
    t.most = max(t.most, vkp_strip_heads[i]);
  }
  t.most = min(t.most, vkp_part_items());
  return t;
}

// Where the results and keys of a batch go, beginning with those of its first head.
struct VkpRunPlaces {
  uvec2 sums, keys;
  uvec2 source_keys;  // address of the key of the strip's first element
};

// Stores the keys of the `count` runs whose first elements are staged, as numbers in the strip,
// from word `from` on. `most` is the largest `count` in this workgroup.
void vkp_store_run_keys(VkpRunPlaces p, uint from, uint count, uint most) {
  [[unroll]] for (uint turn = 0u; turn < vkp_batch_marks; turn += 4u) {
    const uint first = turn * gl_SubgroupSize;
    if (first >= most) break;
    uvec2 keys[4];
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const uint run = first + i * gl_SubgroupSize + gl_SubgroupInvocationID;
      if (run < count) {
        keys[i] = vkp_load_key(
            vkp_add64(p.source_keys, vkp_mul64(vkp_staged(from + run), vkp_key_bytes)));
      }
    }
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const uint run = first + i * gl_SubgroupSize + gl_SubgroupInvocationID;
      if (run >= count) continue;
      const uvec2 at = vkp_add64(p.keys, run * vkp_key_bytes);
      if (vkp_key_words == 2u) {
        VkpWords2(at).v[0] = keys[i];
      } else {
        VkpWords(at).v[0] = keys[i].x;
      }
    }
  }
}

// Stores the lengths of the runs that end where the staged numbers begin the next ones. `origin` is
// the number at which the run before the first of them began, or would have begun if all of it were
// in the strip. `skip` is 1 if there is no such run.
// It becomes the number at which the last run began.
void vkp_store_run_lengths(VkpRunPlaces p, uint count, uint most, uint skip, inout VKP_T origin) {
#ifdef VKP_COUNTS_ONES
  for (uint first = 0u; first < most; first += gl_SubgroupSize) {
    const uint run = first + gl_SubgroupInvocationID;
    if (run < skip || run >= count) continue;
    const VKP_T begin = run == 0u ? origin : VKP_T(vkp_staged(run - 1u));
    vkp_store_element(p.sums, run, VKP_T(vkp_staged(run)) - begin);
  }
  if (count != 0u) origin = VKP_T(vkp_staged(count - 1u));
#endif
}

// Returns the number at which the run that a tile continues would have begun.
VKP_T vkp_run_origin(VkpStrip strip, VKP_T value) {
#ifdef VKP_COUNTS_ONES
  return VKP_T(strip.begin) - value;
#else
  return value;
#endif
}

VKP_T vkp_staged_sum(uint run) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = vkp_staged(run * VKP_WORDS + i);
  return vkp_unpack(w);
}

void vkp_stage_sum(const uint run, const VKP_T sum) {
  uint w[VKP_WORDS];
  vkp_pack(sum, w);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) vkp_stage_word(run * VKP_WORDS + i, w[i]);
}

// Stages the folds of the runs that end in a batch. `before` is what the elements before the batch
// leave; it becomes what they and the batch leave.
void vkp_stage_sums(VkpStrip strip, uint batch, uint heads, uint ranks[vkp_rows],
                    inout VKP_T before) {
  VkpCell cells[vkp_rows];
  vkp_load_batch(strip, batch, cells);
  VKP_T x = vkp_identity();
  [[unroll]] for (uint i = 0u; i < vkp_lane_items; ++i) {
    if ((heads >> i & 1u) != 0u) x = vkp_identity();
    x = vkp_combine(x, vkp_lane_item(cells, i));
  }
  VKP_T running = vkp_scan_lanes(x, heads != 0u, before);
  uint rank = ranks[0];
  [[unroll]] for (uint i = 0u; i < vkp_lane_items; ++i) {
    if ((heads >> i & 1u) != 0u) {
      vkp_stage_sum(rank, running);
      ++rank;
      running = vkp_identity();
    }
    running = vkp_combine(running, vkp_lane_item(cells, i));
  }
}

const uint VKP_NOWHERE = 0xffffffffu;

// Returns where in the stage the numbers are at which the `count` runs of a batch begin: behind the
// sums, if the numbers are wanted and there is room.
uint vkp_staged_numbers(const VkpRunSums s, const uint count) {
  if (vkp_ones) return 0u;
  const bool fit = s.out_keys != uvec2(0u) && count * (VKP_WORDS + 1u) <= vkp_stage_words();
  return fit ? count * VKP_WORDS : VKP_NOWHERE;
}

// Packs a batch: the folds of the runs that end in it and, if there is room, the numbers of their
// ends; or only the numbers, if elements are only counted. `before` is as in vkp_stage_sums().
void vkp_stage_runs(VkpRunSums s, VkpRunTile t, uint tile, uint batch, inout VKP_T before) {
  const uint heads = vkp_marks_of_batch(t.heads, batch);
  uint ranks[vkp_rows];
  const uint numbers = vkp_staged_numbers(s, vkp_rank(heads, 0u, ranks));
  if (numbers != VKP_NOWHERE) vkp_stage_numbers(heads, ranks, batch * vkp_batch_items(), numbers);
  if (!vkp_ones) vkp_stage_sums(vkp_run_strip(s, tile), batch, heads, ranks, before);
}

// Packs the first batch of a tile, as if nothing came before. This needs nothing from other tiles,
// so it is done while the tile waits for them.
void vkp_stage_run_tile(VkpRunSums s, uint tile, inout VkpRunTile t) {
  t.carry = vkp_identity();
  vkp_stage_runs(s, t, tile, 0u, t.carry);
}

// Does the second reading. `runs` is the number of runs that begin before the tile, `value` the
// fold of the last of them so far; `staged` says whether the first batch is staged.
void vkp_reduce_run_tile(VkpRunSums s, uint tile, VkpRunTile t, uvec2 runs, VKP_T value,
                         bool staged) {
  VKP_T carry = t.carry;
  const VkpStrip strip = vkp_run_strip(s, tile);
  value = vkp_join(VkpTail(value, false), t.tails.before).value;
  runs = vkp_add64(runs, t.before);
  VkpRunPlaces p;
  p.sums = vkp_sub64(vkp_add64(s.scan.out_base, vkp_mul64(runs, VKP_BYTES)), uvec2(VKP_BYTES, 0u));
  p.keys = vkp_add64(s.out_keys, vkp_mul64(runs, vkp_key_bytes));
  p.source_keys = vkp_add64(s.keys, vkp_mul64(strip.first, vkp_key_bytes));
  uint skip = runs == uvec2(0u) ? 1u : 0u;  // no run ends at the very first head
  VKP_T origin = vkp_run_origin(strip, value);
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    if (batch != 0u || !staged) vkp_stage_runs(s, t, tile, batch, carry);
    vkp_stage_barrier();
    const uint heads = vkp_marks_of_batch(t.heads, batch);
    const uint count = vkp_sum_of_lanes(bitCount(heads));
    uint numbers = vkp_staged_numbers(s, count);
    if (vkp_ones) {
      vkp_store_run_lengths(p, count, t.most, skip, origin);
    } else {
      if (batch == 0u) {
        if (count != 0u && gl_SubgroupInvocationID == 0u) {
          vkp_stage_sum(0u, vkp_combine(value, vkp_staged_sum(0u)));
        }
        if (count == 0u) carry = vkp_combine(value, carry);
        vkp_stage_barrier();
      }
      const uint none = min(skip, count);
      vkp_unstage(none * VKP_WORDS, (count - none) * VKP_WORDS, t.most * VKP_WORDS,
                  vkp_add64(p.sums, none * VKP_BYTES));
      if (numbers == VKP_NOWHERE && s.out_keys != uvec2(0u)) {
        uint ranks[vkp_rows];
        vkp_rank(heads, 0u, ranks);
        vkp_stage_barrier();
        numbers = 0u;
        vkp_stage_numbers(heads, ranks, batch * vkp_batch_items(), numbers);
        vkp_stage_barrier();
      }
    }
    if (s.out_keys != uvec2(0u)) vkp_store_run_keys(p, numbers, count, t.most);
    p.sums = vkp_add64(p.sums, count * VKP_BYTES);
    p.keys = vkp_add64(p.keys, count * vkp_key_bytes);
    if (count != 0u) skip = 0u;
    vkp_stage_barrier();  // the stage will be written again
  }
}

#endif

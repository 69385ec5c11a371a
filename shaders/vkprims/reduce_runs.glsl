// Reduction of runs, for any monoid over VKP_T: one result for every run of neighbours that belong together
// (heads.glsl says where runs begin).
//
// A tile is a strip of one batch or more for each subgroup. It is read twice: first for what it leaves to the tiles
// behind it (VkpRuns: how many runs begin in it, and the fold from the last beginning on: elements before that are
// not loaded), then, once it is known what the tiles before leave, it is folded run by run. Where a run begins the
// one before it ends: its result is stored there, so each is stored by the tile that sees its end.
//
// Source: the pairs of S. Sengupta, M. Harris, Y. Zhang, J. Owens, "Scan Primitives for GPU Computing" (2007), as in
// segment_strip.glsl.
//
// Needs a type and a monoid, as reduce.glsl, and vkp_heads() as segment_strip.glsl. Specialization: as there, and
// VKP_RUNS_SPEC_ONES.
#ifndef VKPRIMS_REDUCE_RUNS_GLSL
#define VKPRIMS_REDUCE_RUNS_GLSL

#include "segment_strip.glsl"
#include "segments.h"

layout(constant_id = VKP_RUNS_SPEC_ONES) const uint vkp_ones = 0;

struct VkpRunSums {
  VkpScan scan;    // the elements, at no address where they are counted only; out_base: of the results
  uvec2 keys;
  uvec2 out_keys;  // 0: not wanted
};

// Folds what a batch has from `begin` on before `sum`.
void vkp_fold_values_from(VkpStrip strip, uint batch, uint begin, inout VKP_T sum) {
  if (vkp_ones == 0u) {
    vkp_fold_batch_from(strip, batch, begin, sum);
    return;
  }
  const uint first = batch * vkp_batch_items();
  const uint from = max(first + begin, strip.begin);
  const uint end = min(first + vkp_batch_items(), strip.end);
  if (gl_SubgroupInvocationID == 0u && end > from) sum += VKP_T(end - from);
}

// What a strip leaves to those behind it, to all its lanes: the fold from its last head on, and its heads. Bit-
// identical whichever workgroup computes it.
VKP_T vkp_fold_runs(VkpStrip strip, out uint heads) {
  VKP_T sum = vkp_identity();
  heads = 0u;
  for (uint batch = strip.batches; batch > 0u; --batch) {
    const uint bits = vkp_heads(strip, batch - 1u);
    if (heads == 0u) {
      vkp_fold_values_from(strip, batch - 1u, max(vkp_items_to_last_head(bits), 1u) - 1u, sum);
    }
    heads += vkp_sum_of_lanes(bitCount(bits));
  }
  return vkp_commutes != 0u ? vkp_subgroup_fold(sum) : sum;
}

// Results and keys of the runs that a row of a strip ends, by lane.
struct VkpRunEnds {
  uint heads;                 // bits of the elements that begin a run and end the one before
  uint item;                  // number in the strip of the lane's first element
  uint rank, count;           // heads before the lane's, and in the row
  VKP_T sums[VKP_CELL_ITEMS];  // what the run before each has come to
};

// Where they go: what belongs to the first head of the row. The run before the first of all does not exist.
struct VkpRunPlaces {
  uvec2 sums, keys, source_keys;
  bool first;
};

void vkp_load_key_of(VkpRunPlaces p, uint item, out uint key[2]) {
  const uvec2 at = vkp_add64(p.source_keys, item * vkp_key_bytes);
  key[0] = VkpWords(at).v[0];
  key[1] = vkp_key_words == 2u ? VkpWords(at).v[1] : 0u;
}

// Few ends: every lane stores its own.
void vkp_store_ends(VkpRunEnds e, VkpRunPlaces p, bool keys) {
  uint rank = e.rank;
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if ((e.heads >> k & 1u) == 0u) continue;
    if (rank != 0u || !p.first) vkp_store_element(p.sums, rank, e.sums[k]);
    if (keys) {
      uint key[2];
      vkp_load_key_of(p, e.item + k, key);
      VkpWords(p.keys).v[rank * vkp_key_words] = key[0];
      if (vkp_key_words == 2u) VkpWords(p.keys).v[rank * 2u + 1u] = key[1];
    }
    ++rank;
  }
}

// Many: packed in shared memory first, so that neighbouring lanes store neighbouring words.
const uint VKP_RUN_STAGE = 2u * VKP_CELL_ITEMS * (VKP_WORDS > 2 ? VKP_WORDS / 2 : 1);  // words of a lane
shared uint vkp_run_stage[gl_WorkGroupSize.x * VKP_RUN_STAGE];

void vkp_unstage_runs(uvec2 base, uint from, uint words) {
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  const uint stage = gl_SubgroupID * gl_SubgroupSize * VKP_RUN_STAGE;
  [[unroll]] for (uint j = 0u; j < VKP_RUN_STAGE; ++j) {
    const uint i = j * gl_SubgroupSize + gl_SubgroupInvocationID;
    if (i >= from && i < words) VkpWords(base).v[i] = vkp_run_stage[stage + i];
  }
  subgroupBarrier();
}

void vkp_store_ends_packed(VkpRunEnds e, VkpRunPlaces p, bool keys) {
  const uint stage = gl_SubgroupID * gl_SubgroupSize * VKP_RUN_STAGE;
  uint rank = e.rank;
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if ((e.heads >> k & 1u) == 0u) continue;
    uint w[VKP_WORDS];
    vkp_pack(e.sums[k], w);
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) vkp_run_stage[stage + rank * VKP_WORDS + i] = w[i];
    ++rank;
  }
  vkp_unstage_runs(p.sums, p.first ? VKP_WORDS : 0u, e.count * VKP_WORDS);
  if (!keys) return;
  rank = e.rank;
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if ((e.heads >> k & 1u) == 0u) continue;
    uint key[2];
    vkp_load_key_of(p, e.item + k, key);
    vkp_run_stage[stage + rank * vkp_key_words] = key[0];
    if (vkp_key_words == 2u) vkp_run_stage[stage + rank * 2u + 1u] = key[1];
    ++rank;
  }
  vkp_unstage_runs(p.keys, 0u, e.count * vkp_key_words);
}

// What runs have come to where the next one begins. `before`: what the last run before the row has; it becomes what
// the last run of the row has.
void vkp_sum_runs(inout VkpRunEnds e, VkpCell cell, inout VKP_T before) {
  VKP_T running = vkp_scan_lanes(cell, e.heads, vkp_identity(), before);
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    e.sums[k] = running;
    if ((e.heads >> k & 1u) != 0u) running = vkp_identity();
    running = vkp_combine(running, vkp_cell_item(cell, k));
  }
}

// The same for ones, which are counted by their numbers: `origin` is that of the element at which the run would have
// begun if all of it were in the strip.
void vkp_count_runs(inout VkpRunEnds e, inout VKP_T origin) {
  const uvec4 closed = subgroupBallot(e.heads != 0u);
  const uint last = e.item + (e.heads == 0u ? 0u : uint(findMSB(e.heads)));
  const uint lane_before = vkp_lanes_to_last(closed & gl_SubgroupLtMask);
  const uint start = subgroupShuffle(last, max(lane_before, 1u) - 1u);
  VKP_T begin = lane_before == 0u ? origin : VKP_T(start);
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    e.sums[k] = VKP_T(e.item + k) - begin;
    if ((e.heads >> k & 1u) != 0u) begin = VKP_T(e.item + k);
  }
  if (closed != uvec4(0u)) origin = VKP_T(subgroupShuffle(last, vkp_lanes_to_last(closed) - 1u));
}

// Folds the runs of a strip. `runs`: that begin before it; `before`: what the last of these has so far.
void vkp_reduce_strip(VkpRunSums s, VkpStrip strip, uvec2 runs, VKP_T before) {
  const bool keys = s.out_keys != uvec2(0u);
  VkpRunPlaces p;
  p.sums = vkp_sub64(vkp_add64(s.scan.out_base, vkp_mul64(runs, VKP_BYTES)), uvec2(VKP_BYTES, 0u));
  p.keys = vkp_add64(s.out_keys, vkp_mul64(runs, vkp_key_bytes));
  p.source_keys = vkp_add64(s.keys, vkp_mul64(strip.first, vkp_key_bytes));
  p.first = runs == uvec2(0u);
  if (vkp_ones != 0u) before = VKP_T(strip.begin) - before;
  for (uint batch = 0u; batch < strip.batches; ++batch) {
    const uint bits = vkp_heads(strip, batch);
    VkpCell cells[vkp_rows];
    if (vkp_ones == 0u) vkp_load_batch(strip, batch, cells);
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      VkpRunEnds e;
      e.heads = (bits >> (i * VKP_CELL_ITEMS)) & VKP_CELL_HEADS;
      e.item = vkp_batch_cell(batch, i) * VKP_CELL_ITEMS;
      const uint rank = subgroupInclusiveAdd(bitCount(e.heads));
      e.rank = rank - bitCount(e.heads);
      e.count = subgroupShuffle(rank, gl_SubgroupSize - 1u);
      if (vkp_ones == 0u) {
        vkp_sum_runs(e, cells[i], before);
      } else {
        vkp_count_runs(e, before);
      }
      if (e.count > gl_SubgroupSize / 2u) {
        vkp_store_ends_packed(e, p, keys);
      } else {
        vkp_store_ends(e, p, keys);
      }
      p.sums = vkp_add64(p.sums, e.count * VKP_BYTES);
      p.keys = vkp_add64(p.keys, e.count * vkp_key_bytes);
      p.first = p.first && e.count == 0u;
    }
  }
}

#endif

// Reduction of runs, for any monoid over VKP_T: one result for every run of neighbours that belong together
// (heads.glsl says where runs begin).
//
// A tile is vkp_batches batches, one behind the other; a part is what one subgroup has of a batch, a strip of its own
// (scan_strip.glsl). A tile is read twice: first for what it leaves to the tiles behind it, which is how many runs
// begin in it and the fold from the last beginning on (elements before that are not loaded); then, once it is known
// what the tiles before leave, batch by batch. Where a run begins the one before it ends: its result is stored there,
// so each is stored by the tile that sees its end. Results and keys of a batch are packed in the stage (stage.glsl).
//
// Elements that are only counted are not there: the length of a run is a difference of the numbers at which runs
// begin.
//
// Source: the pairs of S. Sengupta, M. Harris, Y. Zhang, J. Owens, "Scan Primitives for GPU Computing" (2007), as in
// segment_strip.glsl.
//
// Needs a type and a monoid, as reduce.glsl, and vkp_heads() as segment_strip.glsl. Specialization: as there, and
// VKP_RUNS_SPEC_ONES; a lane has at most 32 elements of a tile.
#ifndef VKPRIMS_REDUCE_RUNS_GLSL
#define VKPRIMS_REDUCE_RUNS_GLSL

#include "segment_strip.glsl"
#include "segments.h"

layout(constant_id = VKP_SCAN_SPEC_BATCHES) const uint vkp_batches = 1;
layout(constant_id = VKP_RUNS_SPEC_ONES) const uint vkp_ones = 0;

#include "stage.glsl"

struct VkpRunSums {
  VkpScan scan;    // the elements, at no address where they are counted only; out_base: of the results
  uvec2 keys;
  uvec2 out_keys;  // 0: not wanted
};

// What a subgroup knows of a tile.
struct VkpRunTile {
  uint heads;           // bits of this lane's elements at which a run begins, as in stage.glsl
  uvec4 before, total;  // 16 bits a batch: heads before this subgroup's part, and all
  VKP_T value;          // the fold from the last head on, or of everything
};

uint vkp_run_tiles(VkpRunSums s) { return (vkp_scan_batches(s.scan) + vkp_batches - 1u) / vkp_batches; }

// This subgroup's part of a batch.
VkpStrip vkp_run_part(VkpRunSums s, uint tile, uint batch) {
  return vkp_strip(s.scan, tile * vkp_batches + batch, 1u);
}

uint vkp_run_heads(VkpRunTile t) {
  uint total = 0u;
  for (uint batch = 0u; batch < vkp_batches; ++batch) total += vkp_half(t.total, batch);
  return total;
}

shared uint vkp_part_heads[VKP_MAX_SUBGROUPS];

// vkp_scan_subgroups() for numbers: what comes before this subgroup's, and the sum of all.
uvec2 vkp_scan_part_heads(uint own) {
  barrier();
  if (gl_SubgroupInvocationID == 0u) vkp_part_heads[gl_SubgroupID] = own;
  barrier();
  uint before = 0u;
  uint total = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i == gl_SubgroupID) before = total;
    total += vkp_part_heads[i];
  }
  return uvec2(before, total);
}

// Folds what a part has from `begin` on before `sum`.
void vkp_fold_part_from(VkpStrip part, uint begin, inout VKP_T sum) {
  if (vkp_ones == 0u) {
    vkp_fold_batch_from(part, 0u, begin, sum);
    return;
  }
  const uint from = max(begin, part.begin);
  if (gl_SubgroupInvocationID == 0u && part.end > from) sum += VKP_T(part.end - from);
}

// The first reading. Bit-identical whichever workgroup does it.
VkpRunTile vkp_fold_run_tile(VkpRunSums s, uint tile) {
  VkpRunTile t = VkpRunTile(0u, uvec4(0u), uvec4(0u), vkp_identity());
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    const uint heads = vkp_heads(vkp_run_part(s, tile, batch), 0u);
    t.heads |= heads << (batch * vkp_batch_marks);
    t.before[vkp_pair(batch)] |= vkp_sum_of_lanes(bitCount(heads)) << (16u * (batch % 2u));
  }
  const uvec4 own = t.before;
  [[unroll]] for (uint pair = 0u; pair < (vkp_batches + 1u) / 2u; ++pair) {
    const uvec2 heads = vkp_scan_part_heads(own[pair]);
    t.before[pair] = heads.x;
    t.total[pair] = heads.y;
  }
  // Parts behind the last head count in full, the one that has it from there on.
  VKP_T sum = vkp_identity();
  uint behind = 0u;  // heads in the batches behind
  for (uint batch = vkp_batches; batch > 0u; --batch) {
    const uint b = batch - 1u;
    VKP_T part = vkp_identity();
    if (behind + vkp_half(t.total, b) == vkp_half(t.before, b) + vkp_half(own, b)) {
      const uint last = vkp_items_to_last_head(vkp_marks_of_batch(t.heads, b));
      vkp_fold_part_from(vkp_run_part(s, tile, b), max(last, 1u) - 1u, part);
    }
    if (vkp_commutes == 0u) part = vkp_fold_subgroups(vkp_subgroup_fold(part));
    sum = vkp_combine(part, sum);
    behind += vkp_half(t.total, b);
  }
  t.value = vkp_commutes != 0u ? vkp_fold_subgroups(vkp_subgroup_fold(sum)) : sum;
  return t;
}

// Where the results and keys of a batch go: what belongs to its first head. The run before the first of all does not
// exist.
struct VkpRunPlaces {
  uvec2 sums, keys, source_keys;
  bool first;
};

// Keys of the runs whose first elements are staged from word `from` on, as numbers in the batch. `count`: how many.
void vkp_store_run_keys(VkpRunPlaces p, uint from, uint count) {
  for (uint first = 0u; first < count; first += 4u * gl_WorkGroupSize.x) {
    uvec2 keys[4];
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const uint run = first + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      if (run < count) keys[i] = vkp_load_key(vkp_add64(p.source_keys, vkp_staged(from + run) * vkp_key_bytes));
    }
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const uint run = first + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
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

// Lengths of the runs that end where the staged numbers begin the next ones. `origin`: the number at which the run
// before the first of them would have begun if all of it were in the batch.
void vkp_store_run_lengths(VkpRunPlaces p, uint count, VKP_T origin) {
  for (uint first = 0u; first < count; first += gl_WorkGroupSize.x) {
    const uint run = first + gl_LocalInvocationIndex;
    if (run >= count || (run == 0u && p.first)) continue;
    const VKP_T begin = run == 0u ? origin : VKP_T(vkp_staged(run - 1u));
    vkp_store_element(p.sums, run, VKP_T(vkp_staged(run)) - begin);
  }
}

VKP_T vkp_staged_sum(uint run) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = vkp_staged(run * VKP_WORDS + i);
  return vkp_unpack(w);
}

void vkp_stage_sum(uint run, VKP_T sum) {
  uint w[VKP_WORDS];
  vkp_pack(sum, w);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
    vkp_stage[(run * VKP_WORDS + i) / 4u][(run * VKP_WORDS + i) % 4u] = w[i];
  }
}

// Stages what the runs that end in a part have come to there: all but the first one's in full. Gives what the last run
// of the part has.
VKP_T vkp_stage_sums(VkpStrip part, uint heads, uint ranks[vkp_rows]) {
  VkpCell cells[vkp_rows];
  vkp_load_batch(part, 0u, cells);
  VKP_T before = vkp_identity();
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    const uint marks = vkp_cell_marks(heads, row);
    VKP_T running = vkp_scan_lanes(cells[row], marks, vkp_identity(), before);
    uint rank = ranks[row];
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if ((marks >> k & 1u) != 0u) {
        vkp_stage_sum(rank, running);
        ++rank;
        running = vkp_identity();
      }
      running = vkp_combine(running, vkp_cell_item(cells[row], k));
    }
  }
  return before;
}

// The second reading. `runs`: that begin before the tile; `value`: what the last of these has so far.
void vkp_reduce_run_tile(VkpRunSums s, uint tile, VkpRunTile t, uvec2 runs, VKP_T value) {
  const uint head = vkp_cell_head(s.scan.in_base);
  const uint items = vkp_group_batch_items();
  VkpRunPlaces p;
  p.sums = vkp_sub64(vkp_add64(s.scan.out_base, vkp_mul64(runs, VKP_BYTES)), uvec2(VKP_BYTES, 0u));
  p.keys = vkp_add64(s.out_keys, vkp_mul64(runs, vkp_key_bytes));
  p.first = runs == uvec2(0u);
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    const uint number = tile * vkp_batches + batch;
    const uvec2 batch_first = vkp_mul64(number, items);  // of cells; `head` elements before those that exist
    const uint heads = vkp_marks_of_batch(t.heads, batch);
    const uint part_before = vkp_half(t.before, batch);
    const uint count = vkp_half(t.total, batch);
    p.source_keys = vkp_add64(s.keys, vkp_mul64(vkp_sub64(batch_first, uvec2(head, 0u)), vkp_key_bytes));
    uint ranks[vkp_rows];
    vkp_rank(heads, part_before, ranks);
    uint staged = 0u;  // where numbers are
    bool numbers = true;
    if (vkp_ones == 0u) {
      const VKP_T tail = vkp_stage_sums(vkp_run_part(s, tile, batch), heads, ranks);
      const bool has_head = subgroupBallot(heads != 0u) != uvec4(0u);
      staged = count * VKP_WORDS;
      numbers = s.out_keys != uvec2(0u) && staged + count <= vkp_stage_words;
      if (numbers) vkp_stage_numbers(heads, ranks, gl_SubgroupID * vkp_part_items(), staged);
      const VkpTails tails = vkp_scan_subgroups(VkpTail(tail, has_head));  // a barrier for the stage, too
      if (has_head && gl_SubgroupInvocationID == 0u) {
        const VKP_T before = vkp_join(VkpTail(value, false), tails.before).value;
        vkp_stage_sum(part_before, vkp_combine(before, vkp_staged_sum(part_before)));
      }
      barrier();
      const uint skip = p.first ? VKP_WORDS : 0u;
      if (count != 0u) vkp_unstage(skip, count * VKP_WORDS - skip, vkp_add64(p.sums, 4u * skip));
      value = vkp_join(VkpTail(value, false), tails.total).value;
    }
    if (vkp_ones != 0u || (s.out_keys != uvec2(0u) && !numbers)) {
      barrier();
      staged = 0u;
      vkp_stage_numbers(heads, ranks, gl_SubgroupID * vkp_part_items(), 0u);
      barrier();
    }
    if (vkp_ones != 0u) {
      const uint begin = batch_first == uvec2(0u) ? head : 0u;
      const uint end = vkp_clamped_difference(vkp_add64(s.scan.count, head), batch_first, items);
      vkp_store_run_lengths(p, count, VKP_T(begin) - value);
      value = count != 0u ? VKP_T(end - vkp_staged(count - 1u)) : value + VKP_T(max(end, begin) - begin);
    }
    if (s.out_keys != uvec2(0u)) vkp_store_run_keys(p, staged, count);
    p.sums = vkp_add64(p.sums, count * VKP_BYTES);
    p.keys = vkp_add64(p.keys, count * vkp_key_bytes);
    p.first = p.first && count == 0u;
    barrier();  // the stage will be written again
  }
}

#endif

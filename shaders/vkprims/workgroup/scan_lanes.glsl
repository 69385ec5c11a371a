// Scan of strips by lanes: for elements of more than two words, and for sequences whose elements
// are converted. It has the same functions as scan_strip.glsl, for any monoid over VKP_T.
//
// A batch is loaded and stored by rows, which are neighbours in memory, but each lane scans
// neighbours: the cells of a batch change places in shared memory. So what comes before a lane is
// found once for all of its elements, and combining wide elements across lanes is rare. While a
// batch waits for its prefix, a lane holds its input and one element, what comes before it in the
// subgroup.
//
// Needs what input_cells.glsl needs, a monoid, and, if results are converted,
//   VKP_OUT, VKP_OUT_WORDS  the type of output elements and its size in words, 1 … 8, with
//     void vkp_pack_out(VKP_OUT x, out uint w[VKP_OUT_WORDS])
//     VKP_OUT vkp_store(VKP_T exclusive, VKP_T inclusive, uvec2 index)
// Specialization: as scan_strip.glsl; VKP_SPEC_ROW_WORDS is 4 if output cells, and elements of 16
// or 32 bytes of the input, lie at multiples of 16 bytes. An odd number of rows has no bank
// conflicts.
#ifndef VKPRIMS_SCAN_LANES_GLSL
#define VKPRIMS_SCAN_LANES_GLSL

#define VKP_CELLS_ALIGNED (vkp_row_words == 4u)
#ifdef VKP_OUT
#define VKP_OUTPUT_WORDS VKP_OUT_WORDS
#else
#define VKP_OUTPUT_WORDS VKP_WORDS
#endif
#define VKP_OUT_BYTES (4 * VKP_OUTPUT_WORDS)

#include "vkprims/workgroup/scan_constants.glsl"
#include "vkprims/memory/input_cells.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"
#include "vkprims/workgroup/strips.glsl"
#include "vkprims/workgroup/workgroup.glsl"

#define VKP_OUT_VECTORS ((VKP_CELL_ITEMS * VKP_OUTPUT_WORDS + 3) / 4)  // of a cell
#if VKP_OUT_VECTORS > VKP_CELL_VECTORS
#define VKP_LANE_VECTORS VKP_OUT_VECTORS
#else
#define VKP_LANE_VECTORS VKP_CELL_VECTORS
#endif

const uint vkp_lane_items = vkp_rows * VKP_CELL_ITEMS;  // at most 32

// Whether strips all of whose elements exist have code of their own, which does not ask for each
// element. That of wide elements is long, and asking takes little beside moving them.
const bool vkp_whole_apart = VKP_WORDS <= 4;
// With this a function whose parameters are values stays a function in the module
// (VkprimsModule.cmake).
#if VKP_WORDS > 4
#define VKP_IF_WIDE const
#else
#define VKP_IF_WIDE
#endif
// Where results are wide, loops over those of a cell stay loops.
#if VKP_OUTPUT_WORDS > 4
#define VKP_UNROLL_UNLESS_WIDE
#else
#define VKP_UNROLL_UNLESS_WIDE [[unroll]]
#endif

// Cells of a batch on their way from rows to lanes, or back; each subgroup has its own.
shared uvec4 vkp_lane_cells[gl_WorkGroupSize.x * vkp_rows * VKP_LANE_VECTORS];

uint vkp_lane_cell(const uint cell) {
  return (gl_SubgroupID * gl_SubgroupSize * vkp_rows + cell) * VKP_LANE_VECTORS;
}
uint vkp_cell_of_row(const uint row) {
  return row * gl_SubgroupSize + gl_SubgroupInvocationID;
}
uint vkp_own_cell(const uint row) { return gl_SubgroupInvocationID * vkp_rows + row; }

// What a lane has of a batch: neighbours.
struct VkpLaneCells {
  VkpInputCell cells[vkp_rows];
  uint exist;    // bits of the elements that exist
  uvec2 first;   // number of element 0 in the sequence
  VKP_T before;  // what comes before them, once the batch is scanned
};
#define VKP_CELLS VkpLaneCells
#define VKP_SCANS_LANES

// The number of the first element of a batch, counted as `begin` and `end` of the strip are.
uint vkp_batch_begin(const uint batch) { return batch * gl_SubgroupSize * vkp_lane_items; }

// Returns an element from the words of the input, or the identity if it does not exist. In kernels
// of wide elements this stays a function: moving one takes more instructions than a call.
VKP_T vkp_item(VKP_IF_WIDE uint w[VKP_INPUT_WORDS], VKP_IF_WIDE bool exists,
               VKP_IF_WIDE uvec2 index) {
  VKP_T x = vkp_identity();
  if (exists) x = vkp_input(w, index);
  return x;
}
// The arguments of vkp_item() for element i of a lane. If not all exist, `whole` is false.
#define VKP_LANE_ITEM(lane, i, whole)                              \
  vkp_cell_words(lane.cells[VKP_CELL_OF(i)], VKP_ITEM_IN_CELL(i)), \
      whole || (lane.exist >> (i) & 1u) != 0u, vkp_add64(lane.first, i)

void vkp_load_rows(VkpStrip strip, uint batch, out VkpInputCell cells[vkp_rows]) {
  const uint first = batch * vkp_rows * gl_SubgroupSize;
#if VKP_INPUT_WORDS > 4
  // In the place of a cell that does not exist, the last one of this batch is loaded: others may
  // have been overwritten by results.
  if (first < strip.end) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      const uint cell = min(first + vkp_cell_of_row(i), strip.end - 1u);
      cells[i] = vkp_load_whole_input(strip.in_base, cell);
    }
  }
#else
  if (vkp_whole(strip)) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      cells[i] = vkp_load_whole_input(strip.in_base, first + vkp_cell_of_row(i));
    }
  } else {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      cells[i] = vkp_load_input(strip.in_base, first + vkp_cell_of_row(i), strip.begin, strip.end);
    }
  }
#endif
}

// Bits of those of `items` elements from number `first` on that exist.
uint vkp_existing(const VkpStrip strip, const uint first, const uint items) {
  const uint end = min(max(strip.end, first) - first, items);
  const uint begin = min(max(strip.begin, first) - first, end);
  return end == 0u ? 0u : ~0u >> (32u - end) & ~0u << begin;
}

// Loads a batch; rows become lanes. All lanes of the subgroup call this.
void vkp_load_lanes(VkpStrip strip, uint batch, out VkpLaneCells lane) {
  VkpInputCell rows[vkp_rows];
  vkp_load_rows(strip, batch, rows);
  vkp_subgroup_barrier();  // others may still read what was there
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint k = 0u; k < VKP_CELL_VECTORS; ++k) {
      vkp_lane_cells[vkp_lane_cell(vkp_cell_of_row(i)) + k] = rows[i].v[k];
    }
  }
  vkp_subgroup_barrier();
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint k = 0u; k < VKP_CELL_VECTORS; ++k) {
      lane.cells[i].v[k] = vkp_lane_cells[vkp_lane_cell(vkp_own_cell(i)) + k];
    }
  }
  const uint first = vkp_batch_begin(batch) + gl_SubgroupInvocationID * vkp_lane_items;
  lane.exist = ~0u;
  if (!vkp_whole(strip)) lane.exist = vkp_existing(strip, first, vkp_lane_items);
  lane.first = vkp_add64(strip.first, first);
}

VKP_T vkp_fold_lane(VkpLaneCells lane, bool whole) {
  VKP_T x = vkp_item(VKP_LANE_ITEM(lane, 0u, whole));
  [[unroll]] for (uint i = 1u; i < vkp_lane_items; ++i) {
    x = vkp_combine(x, vkp_item(VKP_LANE_ITEM(lane, i, whole)));
  }
  return x;
}
VKP_T vkp_fold_lane_of(VkpStrip strip, VkpLaneCells lane) {
  if (vkp_whole_apart && vkp_whole(strip)) return vkp_fold_lane(lane, true);
  return vkp_fold_lane(lane, false);
}

// Returns the fold of the elements of a batch that a lane has as rows, in any order.
VKP_T vkp_fold_rows_of_lane(VkpStrip strip, uint batch) {
  VkpInputCell rows[vkp_rows];
  vkp_load_rows(strip, batch, rows);
  VKP_T sum = vkp_identity();
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    const uint first =
        vkp_batch_begin(batch) + vkp_cell_of_row(i) * VKP_CELL_ITEMS;
    uint exist = ~0u;
    if (!vkp_whole(strip)) exist = vkp_existing(strip, first, VKP_CELL_ITEMS);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if ((exist >> k & 1u) != 0u) {
        const uvec2 index = vkp_add64(strip.first, first + k);
        sum = vkp_combine(sum, vkp_input(vkp_cell_words(rows[i], k), index));
      }
    }
  }
  return sum;
}

// Returns the fold of a strip to all its lanes; it is bit-identical whichever workgroup computes
// it. Batches are folded from the last to the first, as the first will be read next and is then
// still in a cache.
VKP_T vkp_fold_strip(VkpStrip strip) {
  VKP_T sum = vkp_identity();
  for (uint batch = strip.batches; batch > 0u; --batch) {
    if (vkp_commutes != 0u) {
      sum = vkp_combine(vkp_fold_rows_of_lane(strip, batch - 1u), sum);
    } else {
      VkpLaneCells lane;
      vkp_load_lanes(strip, batch - 1u, lane);
      sum = vkp_combine(vkp_subgroup_fold(vkp_fold_lane_of(strip, lane)), sum);
    }
  }
  return vkp_commutes != 0u ? vkp_subgroup_fold(sum) : sum;
}

// Returns the folds of a workgroup's strips: of all before this subgroup's, and of all.
VkpGroupScan vkp_fold_strips(const VkpStrip strip) {
  const VKP_T fold = vkp_fold_strip(strip);
  return vkp_scan_subgroups(fold);
}

// Returns what comes before each lane of a batch, after `before`, which becomes what comes before
// the next batch.
VKP_T vkp_before_lane(VkpStrip strip, VkpLaneCells lane, inout VKP_T before) {
  const VKP_T upto = vkp_subgroup_inclusive_scan(vkp_fold_lane_of(strip, lane));
  VKP_T lanes = vkp_shuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
  if (gl_SubgroupInvocationID == 0u) lanes = vkp_identity();
  lanes = vkp_combine(before, lanes);
  before = vkp_combine(before, vkp_shuffle(upto, gl_SubgroupSize - 1u));
  return lanes;
}

// Loads a batch and finds what comes before each lane, after `before`, which becomes what comes
// before the next batch.
void vkp_scan_batch(VkpStrip strip, uint batch, inout VKP_T before, out VkpLaneCells lane) {
  vkp_load_lanes(strip, batch, lane);
  lane.before = vkp_before_lane(strip, lane, before);
}

// Folds a workgroup's strips as vkp_fold_strips() does, and keeps what comes before this lane in
// each batch of its strip.
VkpGroupScan vkp_fold_strips(VkpStrip strip, out VKP_T kept[vkp_tile_batches]) {
  VKP_T before = vkp_identity();
  [[unroll]] for (uint batch = 0u; batch < vkp_tile_batches; ++batch) {
    VkpLaneCells lane;
    vkp_load_lanes(strip, batch, lane);
    kept[batch] = vkp_before_lane(strip, lane, before);
  }
  return vkp_scan_subgroups(before);
}

void vkp_result(VKP_T exclusive, VKP_T inclusive, uvec2 index, out uint w[VKP_OUTPUT_WORDS]) {
#ifdef VKP_OUT
  vkp_pack_out(vkp_store(exclusive, inclusive, index), w);
#else
  if (vkp_inclusive != 0u) {
    vkp_pack(inclusive, w);
  } else {
    vkp_pack(exclusive, w);
  }
#endif
}

// Scans the elements of a lane, and leaves the results where other lanes find them as rows.
void vkp_stage_lane(VkpLaneCells lane, bool whole) {
  VKP_T running = lane.before;
#if VKP_OUTPUT_WORDS % 4 == 0
  [[unroll]] for (uint item = 0u; item < vkp_lane_items; ++item) {
    const VKP_T next = vkp_combine(running, vkp_item(VKP_LANE_ITEM(lane, item, whole)));
    uint w[VKP_OUTPUT_WORDS];
    vkp_result(running, next, vkp_add64(lane.first, item), w);
    const uint at = vkp_lane_cell(vkp_own_cell(VKP_CELL_OF(item))) +
                    VKP_ITEM_IN_CELL(item) * (VKP_OUTPUT_WORDS / 4u);
    [[unroll]] for (uint k = 0u; k < VKP_OUTPUT_WORDS / 4u; ++k) {
      vkp_lane_cells[at + k] = uvec4(w[4u * k], w[4u * k + 1u], w[4u * k + 2u], w[4u * k + 3u]);
    }
    running = next;
  }
#else
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    uint cell[4 * VKP_OUT_VECTORS];
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const uint item = i * VKP_CELL_ITEMS + k;
      const VKP_T next = vkp_combine(running, vkp_item(VKP_LANE_ITEM(lane, item, whole)));
      uint w[VKP_OUTPUT_WORDS];
      vkp_result(running, next, vkp_add64(lane.first, item), w);
      [[unroll]] for (uint j = 0u; j < VKP_OUTPUT_WORDS; ++j) cell[k * VKP_OUTPUT_WORDS + j] = w[j];
      running = next;
    }
    [[unroll]] for (uint k = 0u; k < VKP_OUT_VECTORS; ++k) {
      vkp_lane_cells[vkp_lane_cell(vkp_own_cell(i)) + k] =
          uvec4(cell[4u * k], cell[4u * k + 1u], cell[4u * k + 2u], cell[4u * k + 3u]);
    }
  }
#endif
}

// Stores a batch that has been scanned; lanes become rows.
void vkp_store_lanes(VkpStrip strip, uint batch, VkpLaneCells lane) {
  vkp_subgroup_barrier();  // others may still read what was there
  if (vkp_whole_apart && vkp_whole(strip)) {
    vkp_stage_lane(lane, true);
  } else {
    vkp_stage_lane(lane, false);
  }
  vkp_subgroup_barrier();
  const uint first_cell = batch * vkp_rows * gl_SubgroupSize;
  const bool whole = vkp_whole(strip);
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    const uint cell = first_cell + vkp_cell_of_row(i);
    const uint at = vkp_lane_cell(vkp_cell_of_row(i));
#if VKP_CELL_ITEMS * VKP_OUTPUT_WORDS % 4 == 0
    if (whole && vkp_row_words == 4u) {
      [[unroll]] for (uint k = 0u; k < VKP_OUT_VECTORS; ++k) {
        VkpWords4(strip.out_base).v[cell * VKP_OUT_VECTORS + k] = vkp_lane_cells[at + k];
      }
      continue;
    }
#endif
#if VKP_CELL_ITEMS == 1
    if (cell < strip.end) {
      [[unroll]] for (uint j = 0u; j < VKP_OUTPUT_WORDS; ++j) {
        VkpWords(strip.out_base).v[cell * VKP_OUTPUT_WORDS + j] =
            vkp_lane_cells[at + j / 4u][j % 4u];
      }
    }
#else
    uint exist = ~0u;
    if (!whole) exist = vkp_existing(strip, cell * VKP_CELL_ITEMS, VKP_CELL_ITEMS);
    VKP_UNROLL_UNLESS_WIDE for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if ((exist >> k & 1u) != 0u) {
        const uint first_word = k * VKP_OUTPUT_WORDS;
        [[unroll]] for (uint j = 0u; j < VKP_OUTPUT_WORDS; ++j) {
          VkpWords(strip.out_base).v[cell * VKP_CELL_ITEMS * VKP_OUTPUT_WORDS + first_word + j] =
              vkp_lane_cells[at + (first_word + j) / 4u][(first_word + j) % 4u];
        }
      }
    }
#endif
  }
}

// Scans a strip to the output, from batch `first` on; if that is not 0, `lane` has the first batch,
// which is already scanned. `before` is what comes before batch `first`.
void vkp_scan_strip(VkpStrip strip, uint first, VkpLaneCells lane, VKP_T before) {
  for (uint batch = 0u; batch < strip.batches; ++batch) {
    if (batch >= first) vkp_scan_batch(strip, batch, before, lane);
    vkp_store_lanes(strip, batch, lane);
  }
}

#endif

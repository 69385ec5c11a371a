// Scan of strips in segments, for any monoid over VKP_T: this is scan_strip.glsl, except that the
// scan begins anew at every head (heads.glsl).
//
// This is the scan over pairs {head, x} with combine(a, b) = {a.head or b.head, b.head ? b.x : a.x
// (+) b.x}, which is associative. No such pairs are stored: heads are bits of a word per lane. What
// a strip leaves depends only on its elements from its last head on, so the first reading of a
// strip loads only these: with short segments elements are loaded from memory once, with long ones
// twice, as in scan_strip.glsl. The heads of the first batch are found only once.
//
// Source: S. Sengupta, M. Harris, Y. Zhang, J. Owens, "Scan Primitives for GPU Computing" (2007),
// for the pairs.
//
// Needs a type and a monoid, as reduce.glsl does, and, anywhere in the shader,
//   uint vkp_heads(VkpStrip strip, uint batch)
//                                     as vkp_heads_of() in heads.glsl
// Specialization: as in scan_strip.glsl; VKP_SPEC_ROWS is at most VKP_SEGMENTS_MAX_ROWS
// (segments.h).
#ifndef VKPRIMS_SEGMENTED_SCAN_STRIP_GLSL
#define VKPRIMS_SEGMENTED_SCAN_STRIP_GLSL

#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/workgroup/scan_strip.glsl"
#include "vkprims/device/segmented_scan.h"

uint vkp_heads(VkpStrip strip, uint batch);

struct VkpSegments {
  VkpScan scan;   // `total` is where the number of heads goes, as a 64-bit number
  VKP_T initial;  // comes before each segment
};

// What a run of elements leaves to those behind it: the fold from its last head on, or of all of
// it.
struct VkpTail {
  VKP_T value;
  bool closed;  // it has a head
};

VkpTail vkp_join(const VkpTail left, const VkpTail right) {
  if (right.closed) return right;
  return VkpTail(vkp_combine(left.value, right.value), left.closed);
}

const uint VKP_CELL_HEADS = (1u << VKP_CELL_ITEMS) - 1u;

uint vkp_batch_items() { return vkp_rows * gl_SubgroupSize * VKP_CELL_ITEMS; }

// Returns the element of the batch to which bit `bit` of this lane's heads belongs.
uint vkp_item_of_head(const uint bit) {
  return vkp_batch_cell(0u, bit / VKP_CELL_ITEMS) * VKP_CELL_ITEMS + bit % VKP_CELL_ITEMS;
}

// Returns the number of elements of the batch before its first head; all if there is no head.
uint vkp_items_to_first_head(uint heads) {
  return vkp_least_of_lanes(heads == 0u ? vkp_batch_items()
                                        : vkp_item_of_head(uint(findLSB(heads))));
}

// Returns the number of elements of the batch up to and including its last head; 0 if there is
// none.
uint vkp_items_to_last_head(uint heads) {
  return vkp_most_of_lanes(heads == 0u ? 0u : vkp_item_of_head(uint(findMSB(heads))) + 1u);
}

// Puts the fold of the elements of a batch from `begin` on before `sum`, as in vkp_fold_strip().
void vkp_fold_batch_from(VkpStrip strip, uint batch, uint begin, inout VKP_T sum) {
  const uint row_items = gl_SubgroupSize * VKP_CELL_ITEMS;
  VkpCell cells[vkp_rows];
  if (vkp_whole(strip)) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      if ((i + 1u) * row_items > begin) {
        cells[i] = vkp_load_whole_cell(strip.in_base, vkp_batch_cell(batch, i));
      }
    }
  } else {
    const VkpItems items = VkpItems(strip.in_base, strip.begin, strip.end);
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      if ((i + 1u) * row_items > begin) cells[i] = vkp_load_cell(items, vkp_batch_cell(batch, i));
    }
  }
  [[unroll]] for (uint i = vkp_rows; i > 0u; --i) {
    if (i * row_items > begin) {
      const uint item = vkp_batch_cell(0u, i - 1u) * VKP_CELL_ITEMS;
      [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
        if (item + k < begin) vkp_set_cell_item(cells[i - 1u], k, vkp_identity());
      }
      const VKP_T x = vkp_fold_cell(cells[i - 1u]);
      sum = vkp_combine(vkp_commutes != 0u ? x : vkp_subgroup_fold(x), sum);
    }
  }
}

// Returns what a strip leaves to all its lanes, and the heads of its first batch. `count` becomes
// the number of this lane's heads in the batches whose heads are looked for, which are all if `all`
// is true. The result is bit-identical whichever workgroup computes it.
VkpTail vkp_fold_tail(VkpStrip strip, VKP_T initial, bool all, out uint heads, out uint count) {
  VkpTail tail = VkpTail(vkp_identity(), false);
  count = 0u;
  for (uint batch = strip.batches; batch > 0u; --batch) {
    if (!tail.closed || batch == 1u || all) {
      heads = vkp_heads(strip, batch - 1u);
      count += uint(bitCount(heads));
    }
    if (!tail.closed) {
      const uint last = vkp_items_to_last_head(heads);
      vkp_fold_batch_from(strip, batch - 1u, max(last, 1u) - 1u, tail.value);
      tail.closed = last != 0u;
    }
  }
  if (vkp_commutes != 0u) tail.value = vkp_subgroup_fold(tail.value);
  if (tail.closed) tail.value = vkp_combine(initial, tail.value);
  return tail;
}

// Returns the number of lanes up to the last one, at or before this one, whose bit is set, or 0.
uint vkp_lanes_to_start(uvec4 ballot) { return vkp_lanes_to_last(ballot & gl_SubgroupLeMask); }

// Returns x of lane max(`start`, 1) - 1 (+) … (+) x of this lane. `start` is from
// vkp_lanes_to_start().
VKP_T vkp_subgroup_inclusive_scan_from(const VKP_T x, const uint start) {
  const uint lanes = gl_SubgroupInvocationID - (max(start, 1u) - 1u);
  VKP_T upto = x;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const VKP_T left = vkp_shuffle(upto, gl_SubgroupInvocationID - min(lanes, distance));
    if (lanes >= distance) upto = vkp_combine(left, upto);
  }
  return upto;
}

// Returns what comes before a lane since the last head. `x` is what the lane leaves. `before` is
// what the elements before all lanes leave; it becomes what they and the lanes leave.
VKP_T vkp_scan_lanes(VKP_T x, bool has_head, inout VKP_T before) {
  const uvec4 closed = subgroupBallot(has_head);
  const VKP_T upto = vkp_subgroup_inclusive_scan_from(x, vkp_lanes_to_start(closed));
  VKP_T running = vkp_shuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
  if (gl_SubgroupInvocationID == 0u) running = vkp_identity();
  if ((closed & gl_SubgroupLtMask) == uvec4(0u)) running = vkp_combine(before, running);
  const VKP_T all = vkp_shuffle(upto, gl_SubgroupSize - 1u);
  before = closed == uvec4(0u) ? vkp_combine(before, all) : all;
  return running;
}

// Returns what comes before a lane's cell of a row. `before` is what all elements before the row
// leave.
VKP_T vkp_scan_lanes(VkpCell cell, uint heads, VKP_T initial, inout VKP_T before) {
  VKP_T x = vkp_identity();
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if ((heads >> k & 1u) != 0u) x = initial;
    x = vkp_combine(x, vkp_cell_item(cell, k));
  }
  return vkp_scan_lanes(x, heads != 0u, before);
}

// Scans a row in place; `before` is as above.
void vkp_scan_row(inout VkpCell cell, uint heads, VKP_T initial, inout VKP_T before) {
  VKP_T running = vkp_scan_lanes(cell, heads, initial, before);
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if ((heads >> k & 1u) != 0u) running = initial;
    const VKP_T next = vkp_combine(running, vkp_cell_item(cell, k));
    vkp_set_cell_item(cell, k, vkp_inclusive != 0u ? next : running);
    running = next;
  }
}

// Loads a batch and scans it after `before`, as vkp_scan_row() does.
void vkp_scan_batch(VkpStrip strip, uint batch, uint heads, VKP_T initial, inout VKP_T before,
                    out VkpCell cells[vkp_rows]) {
  vkp_load_batch(strip, batch, cells);
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    vkp_scan_row(cells[i], heads >> (i * VKP_CELL_ITEMS) & VKP_CELL_HEADS, initial, before);
  }
}

// Scans a strip to the output, from batch `batch` on; if that is not 0, `cells` has the first
// batch, which is already scanned. `before` is what all elements before batch `batch` leave.
// Returns the number of this lane's heads from that batch on.
uint vkp_scan_strip(VkpStrip strip, uint batch, VkpCell cells[vkp_rows], VKP_T initial,
                    VKP_T before) {
  VkpOutRows out_rows = vkp_out_rows(strip);
  uint count = 0u;
  for (uint b = 0u; b < strip.batches; ++b) {
    if (b >= batch) {
      const uint heads = vkp_heads(strip, b);
      count += uint(bitCount(heads));
      vkp_scan_batch(strip, b, heads, initial, before, cells);
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      vkp_store_row(out_rows, vkp_batch_cell(b, i), cells[i]);
    }
  }
  vkp_finish_rows(out_rows);
  return count;
}

// Scans a strip to the output. `cells` has the first batch, scanned as if nothing came before,
// `heads` has its heads, and `before` is what it leaves; `prefix` is what all elements before the
// strip leave.
void vkp_scan_strip(VkpStrip strip, VkpCell cells[vkp_rows], uint heads, VKP_T initial,
                    VKP_T before, VKP_T prefix) {
  const uint open = vkp_items_to_first_head(heads);
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    if (i * gl_SubgroupSize * VKP_CELL_ITEMS < open) {
      const uint item = vkp_batch_cell(0u, i) * VKP_CELL_ITEMS;
      [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
        if (item + k < open) {
          vkp_set_cell_item(cells[i], k, vkp_combine(prefix, vkp_cell_item(cells[i], k)));
        }
      }
    }
  }
  if (open == vkp_batch_items()) before = vkp_combine(prefix, before);
  vkp_scan_strip(strip, 1u, cells, initial, before);
}

shared uint vkp_partials_closed[VKP_MAX_SUBGROUPS];

void vkp_store_partial(const uint i, const VkpTail tail) {
  vkp_store_partial(i, tail.value);
  vkp_partials_closed[i] = tail.closed ? 1u : 0u;
}

VkpTail vkp_load_partial_tail(uint i) {
  return VkpTail(vkp_load_partial(i), vkp_partials_closed[i] != 0u);
}

// What the subgroups of a workgroup leave, as in vkp_scan_subgroups(): all before this one, and
// all.
struct VkpTails {
  VkpTail before;
  VkpTail total;
};

VkpTails vkp_scan_subgroups(const VkpTail tail) {
  barrier();
  if (gl_SubgroupInvocationID == 0u) vkp_store_partial(gl_SubgroupID, tail);
  barrier();
  const VkpTail nothing = VkpTail(vkp_identity(), false);
  VkpTails tails = VkpTails(nothing, nothing);
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i == gl_SubgroupID) tails.before = tails.total;
    tails.total = vkp_join(tails.total, vkp_load_partial_tail(i));
  }
  return tails;
}

struct VkpFoldedTails {
  VkpTails tails;
  uint heads;  // of the first batch of this subgroup's strip
  uint count;  // how many heads this lane has, as in vkp_fold_tail()
};

// Returns what the strips of a workgroup leave.
VkpFoldedTails vkp_fold_tails(const VkpStrip strip, const VKP_T initial, const bool all) {
  uint heads, count;
  const VkpTail tail = vkp_fold_tail(strip, initial, all, heads, count);
  return VkpFoldedTails(vkp_scan_subgroups(tail), heads, count);
}

#endif

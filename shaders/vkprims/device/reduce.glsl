// Reduces in one dispatch, for any monoid over VKP_T: every workgroup folds one contiguous chunk,
// and the one that finishes last folds the results of all in order.
//
// A row is what the lanes of a subgroup load at once: neighbours in memory. If the operator does
// not commute, each subgroup takes a contiguous part of the chunk and folds row by row across its
// lanes, and the subgroups are folded in order. If it commutes, lanes fold their own elements first
// and across lanes once, and the subgroups take turns row by row, which reads memory in one stream
// per workgroup (except where rows are unaligned and share cache lines with their neighbours, which
// made that 12 % slower on H200). Which elements an invocation takes depends only on the count, the
// grid and the alignment, so floating-point results do not vary from run to run. No workgroup waits
// for another (last_group.glsl).
//
// The number of workgroups has a bound (Tuning::max_reduce_groups), so an invocation's turns grow
// with the input. In a turn each invocation takes 16 * VKP_SPEC_ROWS bytes; that is 17 MB in all
// with NVIDIA's tuning, and 1 MB with lavapipe's. So turns pass 4,096 beyond some 70 GB on NVIDIA,
// and beyond 4 GB on lavapipe, whose release 22.3 ends loops after 65,535 turns, which are 68 GB.
//
// Needs VKP_T, VKP_WORDS, vkp_pack, vkp_unpack, vkp_identity, vkp_combine(left, right).
// Specialization: VKP_SPEC_ROWS, VKP_SPEC_ROW_WORDS, and VKP_REDUCE_SPEC_COMMUTES (1: combine(a, b)
// == combine(b, a)).
//
// The input is a sequence of VKP_T, unless VKP_IN and vkp_load() convert its elements, as in
// transform_cells.glsl, or the includer defines only VKP_IN_WORDS, the size of its elements in
// words (1 or 2), and, after the #include, a vkp_fold_rows() that makes a VKP_T of them
// (arg_reduce.comp).
#ifndef VKPRIMS_REDUCE_GLSL
#define VKPRIMS_REDUCE_GLSL

#include "vkprims/memory/elements.glsl"
#include "vkprims/device/last_group.glsl"
#include "vkprims/device/reduce.h"
#include "vkprims/workgroup/workgroup.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint vkp_rows = 4;
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint vkp_row_words = 4;
#ifndef VKP_OWN_MONOID
layout(constant_id = VKP_REDUCE_SPEC_COMMUTES) const uint vkp_commutes = 0;
#elif defined(VKP_COMMUTES)
// The source of a user's monoid says it, so its kernel has no code for the other case.
const uint vkp_commutes = 1;
#else
const uint vkp_commutes = 0;
#endif

struct VkpReduce {
  uvec2 in_base;     // elements, aligned to 4 * vkp_row_words bytes
  uvec2 count;       // elements; the same in all invocations of the dispatch
  uint max_groups;   // workgroups of the dispatch that may take part
  uvec2 scratch;     // a word that is 0, and the results (reduce.h)
};

#if defined(VKP_IN_WORDS) && !defined(VKP_IN)
#define VKP_OWN_FOLD_ROWS 1
#else
#define VKP_OWN_FOLD_ROWS 0
#endif
#ifndef VKP_IN_WORDS
#define VKP_IN_WORDS VKP_WORDS
#endif

// One lane's part of a row, as it is loaded.
#if VKP_IN_WORDS <= 2
#define VKP_ROW uvec4
const uint vkp_row_elements = vkp_row_words / VKP_IN_WORDS;
#elif defined(VKP_IN)
struct VkpInRow {
  uint w[VKP_IN_WORDS];
};
#define VKP_ROW VkpInRow
const uint vkp_row_elements = 1;
#else
#define VKP_ROW VKP_T
const uint vkp_row_elements = 1;
#endif
const uint vkp_fitting_rows = vkp_rows * 4u / (vkp_row_elements * VKP_IN_WORDS);
const uint vkp_batch = vkp_fitting_rows == 0u ? 1u : vkp_fitting_rows;  // rows in flight

VKP_ROW vkp_load_row(uvec2 base, uint index) {
#if VKP_IN_WORDS == 1
  if (vkp_row_words == 4u) return VkpWords4(base).v[index];
  return uvec4(VkpWords(base).v[index], 0u, 0u, 0u);
#elif VKP_IN_WORDS == 2
  if (vkp_row_words == 4u) return VkpWords4(base).v[index];
  return uvec4(VkpWords2(base).v[index], 0u, 0u);
#else
  uint w[VKP_IN_WORDS];
  if (VKP_IN_WORDS % 4 == 0 && vkp_row_words == 4u) {
    [[unroll]] for (uint i = 0u; i < VKP_IN_WORDS / 4; ++i) {
      const uvec4 v = VkpWords4(base).v[index * (VKP_IN_WORDS / 4) + i];
      [[unroll]] for (uint k = 0u; k < 4u; ++k) w[4u * i + k] = v[k];
    }
  } else {
    [[unroll]] for (uint i = 0u; i < VKP_IN_WORDS; ++i) {
      w[i] = VkpWords(base).v[index * VKP_IN_WORDS + i];
    }
  }
#ifdef VKP_IN
  return VkpInRow(w);
#else
  return vkp_unpack(w);
#endif
#endif
}

// The rows of one subgroup: `whole` rows, `stride` bytes apart, then `tail` elements of another
// row.
struct VkpRows {
  uvec2 base;
  uint stride;
  uint whole;
  uint tail;
  uvec2 first;      // number of the element at `base`
  uint step_shift;  // rows are 1 << step_shift elements apart
};

// Returns at most `rows` rows from element `first` on.
VkpRows vkp_rows_of(VkpReduce work, uvec2 first, uint step_shift, uint rows) {
  const uint row = gl_SubgroupSize * vkp_row_elements;
  const uvec2 left = vkp_less64(first, work.count) ? vkp_sub64(work.count, first) : uvec2(0u);
  VkpRows r;
  r.base = vkp_add64(work.in_base, vkp_mul64(first, 4 * VKP_IN_WORDS));
  r.stride = 4 * VKP_IN_WORDS << step_shift;
  r.first = first;
  r.step_shift = step_shift;
  r.whole = 0u;
  if (!vkp_less64(left, uvec2(row, 0u))) {
    const uvec2 fit = vkp_shr64(vkp_sub64(left, uvec2(row, 0u)), step_shift);
    r.whole = vkp_min64(fit, uvec2(rows - 1u, 0u)).x + 1u;
  }
  r.tail = 0u;
  if (r.whole < rows) {
    r.tail = vkp_clamped_difference(left, vkp_shl64(uvec2(r.whole, 0u), step_shift), row);
  }
  return r;
}

// Returns the fold of a subgroup's rows to all its lanes.
#if VKP_OWN_FOLD_ROWS
VKP_T vkp_fold_rows(VkpRows r);
#else
#if defined(VKP_IN)
// `index` is the number of the first element of a lane's part of a row.
VKP_T vkp_fold_row(VKP_ROW row, uvec2 index) {
#if VKP_IN_WORDS > 2
  return vkp_load(vkp_unpack_in(row.w), index);
#else
  VKP_T x;
  [[unroll]] for (uint k = 0u; k < vkp_row_elements; ++k) {
    uint w[VKP_IN_WORDS];
    [[unroll]] for (uint i = 0u; i < VKP_IN_WORDS; ++i) w[i] = row[k * VKP_IN_WORDS + i];
    const VKP_T next = vkp_load(vkp_unpack_in(w), vkp_add64(index, k));
    if (k == 0u) {
      x = next;
    } else {
      x = vkp_combine(x, next);
    }
  }
  return x;
#endif
}
VKP_T vkp_load_input(uvec2 base, uint item, uvec2 index) {
  uint w[VKP_IN_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_IN_WORDS; ++i) {
    w[i] = VkpWords(base).v[item * VKP_IN_WORDS + i];
  }
  return vkp_load(vkp_unpack_in(w), index);
}
#else
VKP_T vkp_load_input(uvec2 base, uint item, uvec2 index) { return vkp_load_element(base, item); }
VKP_T vkp_fold_row(VKP_ROW row, uvec2 index) {
#if VKP_WORDS == 1
  VKP_T x = vkp_unpack(uint[1](row.x));
  if (vkp_row_words == 4u) {
    x = vkp_combine(x, vkp_unpack(uint[1](row.y)));
    x = vkp_combine(x, vkp_combine(vkp_unpack(uint[1](row.z)), vkp_unpack(uint[1](row.w))));
  }
  return x;
#elif VKP_WORDS == 2
  VKP_T x = vkp_unpack(uint[2](row.x, row.y));
  if (vkp_row_words == 4u) x = vkp_combine(x, vkp_unpack(uint[2](row.z, row.w)));
  return x;
#else
  return row;
#endif
}
#endif

VKP_T vkp_combine_row(const VKP_T sum, const VKP_ROW row, const uvec2 index) {
  const VKP_T lane_value = vkp_fold_row(row, index);
  if (vkp_commutes != 0u) return vkp_combine(sum, lane_value);
  return vkp_combine(sum, vkp_subgroup_fold(lane_value));
}

VKP_T vkp_fold_rows(VkpRows r) {
  const uint lane = gl_SubgroupInvocationID;
  const uvec2 first = vkp_add64(r.first, lane * vkp_row_elements);
  VKP_T sum = vkp_identity();
  uint row = 0u;
  for (; row + vkp_batch <= r.whole; row += vkp_batch) {
    VKP_ROW ahead[vkp_batch];
    [[unroll]] for (uint i = 0u; i < vkp_batch; ++i) {
      ahead[i] = vkp_load_row(vkp_add64(r.base, i * r.stride), lane);
    }
    [[unroll]] for (uint i = 0u; i < vkp_batch; ++i) {
      sum = vkp_combine_row(sum, ahead[i], vkp_add64(first, row + i << r.step_shift));
    }
    r.base = vkp_add64(r.base, vkp_batch * r.stride);
  }
  for (; row < r.whole; ++row) {
    const uvec2 index = vkp_add64(first, row << r.step_shift);
    sum = vkp_combine_row(sum, vkp_load_row(r.base, lane), index);
    r.base = vkp_add64(r.base, r.stride);
  }
  if (vkp_commutes != 0u) sum = vkp_subgroup_fold(sum);
  if (r.tail != 0u) {
    VKP_T x = vkp_identity();
    for (uint i = 0u; i < vkp_row_elements; ++i) {
      const uint item = lane * vkp_row_elements + i;
      const uvec2 index = vkp_add64(vkp_add64(first, row << r.step_shift), i);
      if (item < r.tail) x = vkp_combine(x, vkp_load_input(r.base, item, index));
    }
    sum = vkp_combine(sum, vkp_subgroup_fold(x));
  }
  return sum;
}
#endif

// Returns the fold of all workgroups' results to every invocation.
VKP_T vkp_fold_groups(uvec2 results, uint groups) {
  const uint run = (groups + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  // gl_LocalInvocationIndex need not follow the lanes, so invocations are numbered by subgroup.
  const uint first = (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID) * run;
  VKP_T x = vkp_identity();
  for (uint i = first; i < first + run; ++i) {
    if (i < groups) x = vkp_combine(x, vkp_load_shared_element(results, i));
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(x));
}

// Returns true in the one invocation of the dispatch that has the fold of everything in `total`.
// Call this once, in uniform control flow.
bool vkp_reduce(VkpReduce work, out VKP_T total) {
  total = vkp_identity();
  // A group row is a row of the whole workgroup, a power of two; every subgroup of a workgroup
  // takes as many rows as the workgroup takes group rows.
  const uint group_row_shift = uint(findLSB(gl_WorkGroupSize.x * vkp_row_elements));
  const uint row_shift = uint(findLSB(gl_SubgroupSize * vkp_row_elements));
  const uint group_rows =
      vkp_shr64(vkp_add64(work.count, (1u << group_row_shift) - 1u), group_row_shift).x;
  const uint rows = max(vkp_batch, (group_rows + work.max_groups - 1u) / work.max_groups);
  const uint groups = max(1u, (group_rows + rows - 1u) / rows);
  const uint group = vkp_group_index();
  if (group >= groups) return false;

  // These are the subgroup's first element and the step to its next row.
  uvec2 first;
  uint step_shift;
  if (vkp_commutes != 0u && vkp_row_words == 4u) {
    first = vkp_shl64(vkp_mul64(group, rows), group_row_shift);
    first = vkp_add64(first, gl_SubgroupID << row_shift);
    step_shift = group_row_shift;
  } else {
    first = vkp_shl64(vkp_mul64(group * gl_NumSubgroups + gl_SubgroupID, rows), row_shift);
    step_shift = row_shift;
  }
  total = vkp_fold_subgroups(vkp_fold_rows(vkp_rows_of(work, first, step_shift, rows)));
  const bool writer = gl_LocalInvocationIndex == 0u;
  if (groups == 1u) return writer;
  const uvec2 results = vkp_add64(work.scratch, uint(VKP_REDUCE_RESULTS_OFFSET));
  if (writer) vkp_store_shared_element(results, group, total);
  if (!vkp_last_group(work.scratch, groups)) return false;
  total = vkp_fold_groups(results, groups);
  return writer;
}

#endif

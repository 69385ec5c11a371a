// Reduce in one dispatch: every subgroup folds one contiguous chunk, every workgroup its subgroups in
// order, and the workgroup that finishes last folds the workgroups in order.
//
// A chunk is `rows` rows; a row is what the lanes of a subgroup load at once, row_elements elements a
// lane. Lane values of a row are neighbours in memory, so an operator that does not commute is folded
// across the lanes row by row; one that commutes is folded down the lanes first and across them once.
// The assignment of elements to chunks depends on the count, the grid and the alignment only, so
// floating-point results do not vary from run to run.
// %VARIANT% T u32|i32|f32||u64|i64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/last_group.glsl"
#include "vkprims/ops.glsl"
#include "vkprims/workgroup.glsl"
#include "reduce.abi.h"

layout(constant_id = VKP_SPEC_ROWS) const uint rows_ahead = 4;
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;
layout(constant_id = VKP_REDUCE_SPEC_COMMUTES) const uint commutes = 1;
layout(push_constant) uniform Push { ReducePush push; };

// Elements of a row per lane; rows that an invocation has in flight (16 bytes each when aligned).
const uint row_elements = row_words / VKP_WORDS;
const uint batch = rows_ahead * 4u / row_words;

VKP_T combine_row(VKP_T sum, VKP_T lane_value) {
  return vkp_combine(sum, commutes != 0u ? lane_value : vkp_subgroup_fold(lane_value));
}

// The fold of one lane's part of a row, as raw words.
VKP_T fold_words(uvec4 w) {
#if VKP_WORDS == 1
  VKP_T x = vkp_unpack(uint[1](w.x));
  if (row_words == 4u) {
    x = vkp_combine(x, vkp_unpack(uint[1](w.y)));
    x = vkp_combine(x, vkp_combine(vkp_unpack(uint[1](w.z)), vkp_unpack(uint[1](w.w))));
  }
#else
  VKP_T x = vkp_unpack(uint[2](w.x, w.y));
  if (row_words == 4u) x = vkp_combine(x, vkp_unpack(uint[2](w.z, w.w)));
#endif
  return x;
}

uvec4 load_words(uvec2 base, uint index) {
  if (row_words == 4u) return VkpWords4(base).v[index];
#if VKP_WORDS == 2
  return uvec4(VkpWords2(base).v[index], 0u, 0u);
#else
  return uvec4(VkpWords(base).v[index], 0u, 0u, 0u);
#endif
}

// The fold of this subgroup's chunk: `rows` whole rows from `base` on, then `tail` single elements.
VKP_T fold_chunk(uvec2 base, uint rows, uint tail) {
  const uint row_bytes = gl_SubgroupSize * 4u * row_words;
  const uint lane = gl_SubgroupInvocationID;
  VKP_T sum = vkp_identity();
  uint row = 0u;
  for (; row + batch <= rows; row += batch) {
    uvec4 words[batch];
    [[unroll]] for (uint i = 0u; i < batch; ++i) words[i] = load_words(base, i * gl_SubgroupSize + lane);
    [[unroll]] for (uint i = 0u; i < batch; ++i) sum = combine_row(sum, fold_words(words[i]));
    base = vkp_add64(base, batch * row_bytes);
  }
  for (; row < rows; ++row) {
    sum = combine_row(sum, fold_words(load_words(base, lane)));
    base = vkp_add64(base, row_bytes);
  }
  if (commutes != 0u) sum = vkp_subgroup_fold(sum);
  if (tail != 0u) {
    VKP_T x = vkp_identity();
    for (uint i = 0u; i < row_elements; ++i) {
      const uint item = lane * row_elements + i;
      if (item < tail) x = vkp_combine(x, vkp_load_element(base, item));
    }
    sum = vkp_combine(sum, vkp_subgroup_fold(x));
  }
  return sum;
}

void store_partial(uint group, VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  const uvec2 partials = vkp_add64(uvec2(push.scratch_lo, push.scratch_hi), VKP_REDUCE_PARTIALS_OFFSET);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
    VkpSharedWords(partials).v[group * VKP_WORDS + i] = w[i];
  }
}

// The fold of all partials in the order of the workgroups. Valid in subgroup 0.
VKP_T fold_partials(uint groups) {
  const uvec2 partials = vkp_add64(uvec2(push.scratch_lo, push.scratch_hi), VKP_REDUCE_PARTIALS_OFFSET);
  const uint run = (groups + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  // gl_LocalInvocationIndex need not follow the lanes, so number the invocations by subgroup.
  const uint first = (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID) * run;
  VKP_T x = vkp_identity();
  for (uint i = first; i < first + run; ++i) {
    if (i < groups) {
      uint w[VKP_WORDS];
      [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) {
        w[k] = VkpSharedWords(partials).v[i * VKP_WORDS + k];
      }
      x = vkp_combine(x, vkp_unpack(w));
    }
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(x));
}

void store_result(VKP_T x) {
  if (push.has_initial != 0u) {
    const uvec2 address = uvec2(push.initial_address_lo, push.initial_address_hi);
#if VKP_WORDS == 1
    VKP_T initial = vkp_unpack(uint[1](push.initial_lo));
#else
    VKP_T initial = vkp_unpack(uint[2](push.initial_lo, push.initial_hi));
#endif
    if (address != uvec2(0u)) initial = vkp_load_element(address, 0u);
    x = vkp_combine(initial, x);
  }
  vkp_store_element(uvec2(push.out_lo, push.out_hi), 0u, x);
}

void main() {
  const uvec2 count = vkp_read_count(uvec2(push.count_lo, push.count_hi),
                                     uvec2(push.count_address_lo, push.count_address_hi),
                                     push.count_is_u64 != 0u);
  // A unit is a row of the whole workgroup, a power of two; every subgroup of a workgroup takes as
  // many rows as the workgroup takes units.
  const uint unit_shift = uint(findLSB(gl_WorkGroupSize.x * row_elements));
  const uint row_shift = uint(findLSB(gl_SubgroupSize * row_elements));
  const uint units = vkp_shr64(vkp_add64(count, (1u << unit_shift) - 1u), unit_shift).x;
  const uint rows = max(batch, (units + push.max_groups - 1u) / push.max_groups);
  const uint groups = max(1u, (units + rows - 1u) / rows);
  const uint group = vkp_group_index();
  if (group >= groups) return;

  const uint chunk = group * gl_NumSubgroups + gl_SubgroupID;
  const uvec2 first = vkp_shl64(vkp_mul64(chunk, rows), row_shift);
  const uvec2 left = vkp_less64(first, count) ? vkp_sub64(count, first) : uvec2(0u);
  const uint whole = vkp_min64(vkp_shr64(left, row_shift), uvec2(rows, 0u)).x;
  const uint tail = whole < rows ? left.x & ((1u << row_shift) - 1u) : 0u;
  const uvec2 base = vkp_add64(uvec2(push.in_lo, push.in_hi), vkp_mul64(first, VKP_BYTES));

  VKP_T x = vkp_fold_subgroups(fold_chunk(base, whole, tail));
  const bool writer = gl_SubgroupID == 0u && gl_SubgroupInvocationID == 0u;
  if (groups == 1u) {
    if (writer) store_result(x);
    return;
  }
  if (writer) store_partial(group, x);
  if (vkp_last_group(uvec2(push.scratch_lo, push.scratch_hi), groups)) {
    x = fold_partials(groups);
    if (writer) store_result(x);
  }
}

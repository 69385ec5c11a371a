// Reduce-then-scan in segments in two dispatches: this is scan_multi_pass.glsl with what strips
// leave (segmented_scan_strip.glsl) in place of their folds. No workgroup waits for another; the
// order of combination depends only on count, alignment, shape and heads. A single workgroup needs
// no first dispatch. Heads are counted by the second dispatch, as the first one looks for few.
#ifndef VKPRIMS_SEGMENTED_SCAN_MULTI_PASS_GLSL
#define VKPRIMS_SEGMENTED_SCAN_MULTI_PASS_GLSL

#include "vkprims/workgroup/segmented_scan_strip.glsl"
#include "vkprims/device/scan_multi_pass.glsl"
#include "vkprims/device/head_count.glsl"

// Tails in scratch have the words of the value, then 1 if they are closed. The shared functions use
// memory as in elements.glsl.
const uint VKP_TAIL_WORDS = VKP_WORDS + 1;

void vkp_store_tail(uvec2 base, uint index, VkpTail tail) {
  uint w[VKP_WORDS];
  vkp_pack(tail.value, w);
  const uint at = index * VKP_TAIL_WORDS;
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) VkpWords(base).v[at + i] = w[i];
  VkpWords(base).v[at + VKP_WORDS] = tail.closed ? 1u : 0u;
}

VkpTail vkp_load_tail(uvec2 base, uint index) {
  uint w[VKP_WORDS];
  const uint at = index * VKP_TAIL_WORDS;
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = VkpWords(base).v[at + i];
  return VkpTail(vkp_unpack(w), VkpWords(base).v[at + VKP_WORDS] != 0u);
}

void vkp_store_shared_tail(uvec2 base, uint index, VkpTail tail) {
  uint w[VKP_WORDS];
  vkp_pack(tail.value, w);
  const uint at = index * VKP_TAIL_WORDS;
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) VkpSharedWords(base).v[at + i] = w[i];
  VkpSharedWords(base).v[at + VKP_WORDS] = tail.closed ? 1u : 0u;
}

VkpTail vkp_load_shared_tail(uvec2 base, uint index) {
  uint w[VKP_TAIL_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_TAIL_WORDS; ++i) {
    w[i] =
        atomicLoad(VkpSharedWords(base).v[index * VKP_TAIL_WORDS + i], gl_ScopeQueueFamily, 0, 0);
  }
  uint value[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) value[i] = w[i];
  return VkpTail(vkp_unpack(value), w[VKP_WORDS] != 0u);
}

// Returns what the invocations of the workgroup before this one leave, in the order of
// vkp_scan_workgroup().
VkpTail vkp_tail_before(VkpTail tail) {
  const uvec4 closed = subgroupBallot(tail.closed);
  const VKP_T upto = vkp_subgroup_inclusive_scan_from(tail.value, vkp_lanes_to_start(closed));
  VkpTail lane_before = VkpTail(vkp_shuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u),
                                (closed & gl_SubgroupLtMask) != uvec4(0u));
  if (gl_SubgroupInvocationID == 0u) lane_before.value = vkp_identity();
  const VkpTail all = VkpTail(vkp_shuffle(upto, gl_SubgroupSize - 1u), closed != uvec4(0u));
  return vkp_join(vkp_scan_subgroups(all).before, lane_before);
}

// Called by the last workgroup: replaces what each workgroup leaves by what all before it leave.
void vkp_scan_tails(uvec2 tails, uint groups) {
  const uint run = (groups + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uint first = (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID) * run;
  VkpTail tail = VkpTail(vkp_identity(), false);
  for (uint i = first; i < first + run; ++i) {
    if (i < groups) tail = vkp_join(tail, vkp_load_shared_tail(tails, i));
  }
  VkpTail before = vkp_tail_before(tail);
  for (uint i = first; i < first + run; ++i) {
    if (i < groups) {
      tail = vkp_load_shared_tail(tails, i);
      vkp_store_shared_tail(tails, i, before);
      before = vkp_join(before, tail);
    }
  }
}

// Does the first dispatch.
void vkp_segmented_scan_multi_pass_fold(VkpSegments segments, VkpMultiPass passes) {
  uint groups;
  const uint batches = vkp_strip_batches(segments.scan, passes, groups);
  if (vkp_group_index() >= groups) return;
  const uvec2 all = vkp_group_folds(passes);
  const VkpStrip strip = vkp_strip(segments.scan, vkp_group_index(), batches);
  const VkpTails tails = vkp_fold_tails(strip, segments.initial, false).tails;
  if (gl_SubgroupInvocationID == 0u) vkp_store_tail(all, vkp_strip_index(passes), tails.before);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_tail(all, vkp_group_index(), tails.total);
  if (vkp_last_group(passes.scratch, groups)) vkp_scan_tails(all, groups);
}

// Does the second dispatch, or the only one, as in scan_multi_pass.glsl.
void vkp_segmented_scan_multi_pass_scan(VkpSegments segments, VkpMultiPass passes) {
  uint groups;
  const uint batches = vkp_strip_batches(segments.scan, passes, groups);
  const uint group = vkp_group_index();
  if (group >= groups) return;
  const VkpStrip strip = vkp_strip(segments.scan, group, batches);
  VkpTail prefix = VkpTail(vkp_identity(), false);
  if (vkp_alone != 0u) {
    VkpStrip part = vkp_strip(segments.scan, 0u, group * batches);
    for (uint own = group == 0u ? 1u : 0u; own < 2u; ++own) {
      if (own == 1u) part = strip;
      const VkpTails tails = vkp_fold_tails(part, segments.initial, false).tails;
      VkpTail next = tails.total;
      if (own == 1u) next = tails.before;
      prefix = vkp_join(prefix, next);
    }
  } else {
    const uvec2 all = vkp_group_folds(passes);
    prefix = vkp_join(vkp_load_tail(all, group),
                      vkp_load_tail(all, vkp_strip_index(passes)));
  }
  VkpCell cells[vkp_rows];
  const uint count = vkp_scan_strip(strip, 0u, cells, segments.initial, prefix.value);
  if (vkp_total_wanted != 0u) {
    const uvec2 counters = vkp_add64(passes.scratch, VKP_SEGMENTS_MULTI_PASS_COUNTERS);
    vkp_count_heads(segments.scan, counters, groups, count);
  }
}

#endif

// What lies before and behind the chunk of an invocation in a strip.
#ifndef VKPRIMS_ROLLING_AROUND_GLSL
#define VKPRIMS_ROLLING_AROUND_GLSL

#include "rolling/strip.glsl"
#include "vkprims/subgroup.glsl"

// The folds of subgroups, twice: those who are a fold ahead do not disturb those who still read.
const uint MAX_SUBGROUPS = gl_WorkGroupSize.x / 4u;
shared uint partials[2u * VKP_WORDS * MAX_SUBGROUPS];

Window partial_at(uint turn, uint i) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) w[k] = partials[(turn % 2u * VKP_WORDS + k) * MAX_SUBGROUPS + i];
  return vkp_unpack(w);
}

void put_partial(uint turn, uint i, Window x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) partials[(turn % 2u * VKP_WORDS + k) * MAX_SUBGROUPS + i] = w[k];
}

Window fold_lanes(Window x) {
#if COUNTED
  return vkp_subgroup_fold(x);
#else
  // Sums and minima need no order.
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) x = vkp_combine(x, vkp_shuffle_xor(x, distance));
  return x;
#endif
}

// The fold of the folds of subgroups begin … end - 1, to all lanes.
Window fold_partials(uint turn, uint begin, uint end) {
  // There may be more subgroups than lanes: each lane folds a run of neighbours first.
  const uint run = (gl_NumSubgroups + gl_SubgroupSize - 1u) / gl_SubgroupSize;
  Window x = vkp_identity();
  for (uint i = 0u; i < run; ++i) {
    const uint subgroup = gl_SubgroupInvocationID * run + i;
    if (subgroup >= begin && subgroup < end) x = vkp_combine(x, partial_at(turn, subgroup));
  }
  return fold_lanes(x);
}

// Makes the fold of this subgroup known to all. To be called by all, with turns 0, 1, 2 …
void share_fold(Window total, uint turn) {
  if (gl_SubgroupInvocationID == 0u) put_partial(turn, gl_SubgroupID, total);
  barrier();
}

// The folds of x of the lanes before this one and behind it, and of all of the subgroup.
struct Lanes {
  Window others, total;
};
Lanes lanes_before(Window x) {
  const uint lane = gl_SubgroupInvocationID;
  x = vkp_subgroup_inclusive_scan(x);
  Lanes lanes = Lanes(vkp_shuffle(x, max(lane, 1u) - 1u), vkp_shuffle(x, gl_SubgroupSize - 1u));
  if (lane == 0u) lanes.others = vkp_identity();
  return lanes;
}
Lanes lanes_behind(Window x) {
  const uint lane = gl_SubgroupInvocationID, last = gl_SubgroupSize - 1u;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const Window right = vkp_shuffle(x, min(lane + distance, last));
    if (lane + distance <= last) x = vkp_combine(x, right);
  }
  Lanes lanes = Lanes(vkp_shuffle(x, min(lane + 1u, last)), x);  // lane 0 shares it
  if (lane == last) lanes.others = vkp_identity();
  return lanes;
}

// The same of the workgroup, once the folds of a turn have been shared.
Window all_before(Lanes lanes, uint turn) {
  return vkp_combine(fold_partials(turn, 0u, gl_SubgroupID), lanes.others);
}
Window all_behind(Lanes lanes, uint turn) {
  return vkp_combine(lanes.others, fold_partials(turn, gl_SubgroupID + 1u, gl_NumSubgroups));
}

#endif

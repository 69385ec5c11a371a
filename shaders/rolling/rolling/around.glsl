// The folds of what lies before and behind the run of each invocation.
#ifndef VKPRIMS_ROLLING_AROUND_GLSL
#define VKPRIMS_ROLLING_AROUND_GLSL

#include "rolling/rolling/block.glsl"
#include "vkprims/subgroup/subgroup.glsl"

// The totals of the subgroups, in two sets used in turn: subgroups that are a turn ahead do not
// overwrite what others still read.
const uint MAX_SUBGROUPS = gl_WorkGroupSize.x / 4u;
shared uint partials[4u * VKP_WORDS * MAX_SUBGROUPS];

uint partial_word(uint turn, uint side, uint k) {
  return ((turn % 2u * 2u + side) * VKP_WORDS + k) * MAX_SUBGROUPS;
}

Window partial_at(const uint turn, const uint side, const uint i) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) w[k] = partials[partial_word(turn, side, k) + i];
  return vkp_unpack(w);
}

void put_partial(const uint turn, const uint side, const uint i, const Window x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) partials[partial_word(turn, side, k) + i] = w[k];
}

// The folds of all before an invocation's run in one block, and of all behind its run in another or
// the same block. Both are computed at once, as each step waits for a shuffle.
struct Around {
  Window before, behind;
};

// Returns the folds over the lanes of the subgroup before and behind this one. `totals` are the
// folds over all lanes; `totals.behind` is valid in lane 0 only.
Around around_in_subgroup(Window before, Window behind, out Around totals) {
  const uint lane = gl_SubgroupInvocationID, last = gl_SubgroupSize - 1u;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const Window left = vkp_shuffle(before, lane - min(lane, distance));
    const Window right = vkp_shuffle(behind, min(lane + distance, last));
    if (lane >= distance) before = vkp_combine(left, before);
    if (lane + distance <= last) behind = vkp_combine(behind, right);
  }
  totals = Around(vkp_shuffle(before, last), behind);
  Around lanes =
      Around(vkp_shuffle(before, max(lane, 1u) - 1u), vkp_shuffle(behind, min(lane + 1u, last)));
  if (lane == 0u) lanes.before = vkp_identity();
  if (lane == last) lanes.behind = vkp_identity();
  return lanes;
}

// Returns the folds over the subgroups of the workgroup before and behind this one, once all have
// stored their totals.
Around around_in_workgroup(uint turn) {
  // There may be more subgroups than lanes, so each lane folds a run of neighbours first.
  const uint run = (gl_NumSubgroups + gl_SubgroupSize - 1u) / gl_SubgroupSize;
  Around x = Around(vkp_identity(), vkp_identity());
  for (uint i = 0u; i < run; ++i) {
    const uint subgroup = gl_SubgroupInvocationID * run + i;
    if (subgroup < gl_SubgroupID) x.before = vkp_combine(x.before, partial_at(turn, 0u, subgroup));
    if (subgroup > gl_SubgroupID && subgroup < gl_NumSubgroups) {
      x.behind = vkp_combine(x.behind, partial_at(turn, 1u, subgroup));
    }
  }
#if COUNTED
  return Around(vkp_subgroup_fold(x.before), vkp_subgroup_fold(x.behind));
#else
  // Sums and minima need no order.
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const Window before = vkp_shuffle_xor(x.before, distance),
                 behind = vkp_shuffle_xor(x.behind, distance);
    x = Around(vkp_combine(x.before, before), vkp_combine(x.behind, behind));
  }
  return x;
#endif
}

// Returns the folds of `before` of all invocations before this one, and of `behind` of all behind
// it. All invocations must call it, with successive turns, of which only the parity counts.
Around fold_around(const Window before, const Window behind, const uint turn) {
  Around totals;
  const Around lanes = around_in_subgroup(before, behind, totals);
  if (gl_SubgroupInvocationID == 0u) {
    put_partial(turn, 0u, gl_SubgroupID, totals.before);
    put_partial(turn, 1u, gl_SubgroupID, totals.behind);
  }
  barrier();
  const Around others = around_in_workgroup(turn);
  return Around(vkp_combine(others.before, lanes.before), vkp_combine(lanes.behind, others.behind));
}

#endif

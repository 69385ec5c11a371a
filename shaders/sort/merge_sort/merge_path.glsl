// Merges two runs of a tile that lie in shared memory, by all invocations of those that have the
// result.
//
// Merge path: of the first d elements of the result, i come from a, where i is the number of
// elements of a that belong before their counterpart on the diagonal, b[d - 1 - i]. A binary search
// finds it, and from there an invocation merges its own elements one after the other.
//
// Trip counts do not depend on the data. Whatever the comparison says, an invocation takes elements
// of the two runs, and as many as there are.
//
// Source: O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012).
#ifndef VKPRIMS_MERGE_SORT_MERGE_PATH_GLSL
#define VKPRIMS_MERGE_SORT_MERGE_PATH_GLSL

#include "sort/merge_sort/elements.glsl"

// Two neighbouring runs of the tile: a_begin … b_begin - 1 and b_begin … b_end - 1.
struct VkpRuns {
  uint a_begin, b_begin, b_end;
};

// The first step of a search among so many places: the largest power of two that is not above.
uint vkp_first_step(const uint places) { return 1u << findMSB(max(places, 1u)); }

// Returns how many of the first `diagonal` elements of the merged runs come from a. `step` is
// vkp_first_step() of a number that is not below the length of the shorter run, and is the same in
// the workgroup.
uint vkp_split_runs(const VkpRuns runs, const uint diagonal, uint step) {
  const uint b = runs.b_end - runs.b_begin;
  uint taken = diagonal - min(diagonal, b);
  const uint most = min(diagonal, runs.b_begin - runs.a_begin);
  const uint b_from = runs.b_begin + diagonal;
  for (; step != 0u; step >>= 1) {
    const uint next = taken + step;
    const bool inside = next <= most;
    const uint a_place = mix(runs.a_begin, runs.a_begin + next - 1u, inside);
    const uint b_place = mix(runs.a_begin, b_from - next, inside);
    const bool less = vkp_is_less(vkp_staged_item(b_place), vkp_staged_item(a_place));
    taken = mix(taken, next, mix(inside, false, less));
  }
  return taken;
}

// Merges VKP_ITEMS elements from `diagonal` on; those past the end of both runs are useless.
void vkp_merge_runs(const VkpRuns runs, const uint diagonal, const uint first_step,
                    out VkpItem x[VKP_ITEMS], out uint places[VKP_ITEMS]) {
  uint a = runs.a_begin + vkp_split_runs(runs, diagonal, first_step);
  uint b = runs.a_begin + runs.b_begin + diagonal - a;
  VkpItem a_next = vkp_staged_item(a);
  VkpItem b_next = vkp_staged_item(b);
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) {
    const bool less = vkp_is_less(b_next, a_next);
    const bool take_b = mix(false, mix(less, true, a >= runs.b_begin), b < runs.b_end);
    x[i] = vkp_choose(a_next, b_next, take_b);
    places[i] = mix(a, b, take_b);
    const VkpItem next = vkp_staged_item(places[i] + 1u);
    a = mix(a + 1u, a, take_b);
    b = mix(b, b + 1u, take_b);
    a_next = vkp_choose(next, a_next, take_b);
    b_next = vkp_choose(b_next, next, take_b);
  }
}

#endif

// The number of heads of a sequence (heads.glsl), which its workgroups count together.
//
// Workgroups add their numbers to a sum in scratch by relaxed atomics; the one that is last to do
// so stores the sum. No workgroup waits for another. One invocation of each workgroup does this:
//   its additions -> in program order, the release half of its increment in vkp_arrive() -> the
//   increments that follow continue its release sequence -> the acquire half of the last increment
//   -> in program order, the loads of the sum, by the same invocation.
// So the additions of all workgroups happen before these loads, which therefore see every one of
// them. The sum has two words. Of the additions to the low one, those that pass 2^32 are known to
// whoever makes them, as each atomic returns what the one before it left, and each is carried
// before its workgroup arrives.
#ifndef VKPRIMS_HEAD_COUNT_GLSL
#define VKPRIMS_HEAD_COUNT_GLSL

#include "vkprims/device/last_group.glsl"
#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/workgroup/scan_tile.glsl"
#include "vkprims/device/segmented_scan.h"

const uint VKP_COUNTER_LOW = 1;  // behind the one of arrivals
const uint VKP_COUNTER_HIGH = 2;

// Returns the sum of a number of every lane of the workgroup. The first barrier keeps earlier
// readers of vkp_partials apart from these writes.
uint vkp_sum_of_workgroup(uint x) {
  const uint sum = vkp_sum_of_lanes(x);
  barrier();
  if (gl_SubgroupInvocationID == 0u) vkp_partials[gl_SubgroupID] = sum;
  barrier();
  uint all = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) all += vkp_partials[i];
  return all;
}

// Counts the heads of this workgroup, of which this lane has `count`; the last of `groups`
// workgroups stores how many all have at scan.total. `counters` is the address of three words that
// are 0 before the dispatch; a single workgroup needs none. Call this once, in uniform control
// flow.
void vkp_count_heads(VkpScan scan, uvec2 counters, uint groups, uint count) {
  uvec2 sum = uvec2(vkp_sum_of_workgroup(count), 0u);
  // Subgroup 0 may have to look back, so another one, if there is one, waits for the counters.
  if (gl_SubgroupID == gl_NumSubgroups - 1u && gl_SubgroupInvocationID == 0u) {
    bool is_last = true;
    if (groups != 1u) {
      VkpSharedWords words = VkpSharedWords(counters);
      const uint before =
          atomicAdd(words.v[VKP_COUNTER_LOW], sum.x, gl_ScopeQueueFamily, 0, 0);
      if (before + sum.x < before) {
        atomicAdd(words.v[VKP_COUNTER_HIGH], 1u, gl_ScopeQueueFamily, 0, 0);
      }
      is_last = vkp_arrive(counters) == groups - 1u;
      if (is_last) {
        sum.x = atomicLoad(words.v[VKP_COUNTER_LOW], gl_ScopeQueueFamily, 0, 0);
        sum.y = atomicLoad(words.v[VKP_COUNTER_HIGH], gl_ScopeQueueFamily, 0, 0);
      }
    }
    if (is_last) VkpWords2(scan.total).v[0] = sum;
  }
}

#endif

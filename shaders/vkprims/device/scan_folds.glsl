// By the workgroup that finishes last (last_group.glsl): an exclusive scan of what all the workgroups left, in place.
#ifndef VKPRIMS_SCAN_FOLDS_GLSL
#define VKPRIMS_SCAN_FOLDS_GLSL

#include "vkprims/memory/elements.glsl"
#include "vkprims/device/last_group.glsl"
#include "vkprims/workgroup/workgroup.glsl"

// An invocation loads so many elements at once, if the includer says so, as loads one after the other take long.
#ifndef VKP_FOLDS_AT_ONCE
#define VKP_FOLDS_AT_ONCE 1
#endif

// Each of the `groups` elements at `folds` becomes what comes before it, after `seed`. Returns `seed` and all of
// them. Each invocation has a run of neighbours.
VKP_T vkp_scan_folds(uvec2 folds, uint groups, VKP_T seed) {
  const uint run = (groups + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  // gl_LocalInvocationIndex need not follow the lanes: number the invocations by subgroup.
  const uint first = (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID) * run;
  const uint end = min(first + run, groups);
  VKP_T next[VKP_FOLDS_AT_ONCE];
  VKP_T x = vkp_identity();
  for (uint i = first; i < first + run; i += VKP_FOLDS_AT_ONCE) {
    [[unroll]] for (uint k = 0u; k < VKP_FOLDS_AT_ONCE; ++k) {
      next[k] = vkp_load_shared_element(folds, min(i + k, groups - 1u));
    }
    [[unroll]] for (uint k = 0u; k < VKP_FOLDS_AT_ONCE; ++k) {
      if (i + k < end) x = vkp_combine(x, next[k]);
    }
  }
  const VkpGroupScan scan = vkp_scan_workgroup(x);
  VKP_T before = vkp_combine(seed, scan.before);
  for (uint i = first; i < first + run; i += VKP_FOLDS_AT_ONCE) {
    [[unroll]] for (uint k = 0u; k < VKP_FOLDS_AT_ONCE; ++k) {
      next[k] = vkp_load_shared_element(folds, min(i + k, groups - 1u));
    }
    [[unroll]] for (uint k = 0u; k < VKP_FOLDS_AT_ONCE; ++k) {
      if (i + k < end) {
        vkp_store_shared_element(folds, i + k, before);
        before = vkp_combine(before, next[k]);
      }
    }
  }
  return vkp_combine(seed, scan.total);
}

#endif

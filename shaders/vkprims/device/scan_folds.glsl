// An exclusive scan, in place, of what all workgroups left, by the one that finishes last
// (last_group.glsl).
#ifndef VKPRIMS_SCAN_FOLDS_GLSL
#define VKPRIMS_SCAN_FOLDS_GLSL

#include "vkprims/memory/elements.glsl"
#include "vkprims/device/last_group.glsl"
#include "vkprims/workgroup/workgroup.glsl"

// The includer may define how many elements an invocation loads at once, as loads one after the
// other take long.
#ifndef VKP_FOLDS_AT_ONCE
#define VKP_FOLDS_AT_ONCE 1
#endif

// Replaces each of the `groups` elements at `folds` by the fold of `seed` and all elements before
// it. Returns the fold of `seed` and all elements. Each invocation has a run of neighbours.
VKP_T vkp_scan_folds(uvec2 folds, uint groups, VKP_T seed) {
  const uint run = (groups + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  // gl_LocalInvocationIndex need not follow the lanes, so invocations are numbered by subgroup.
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

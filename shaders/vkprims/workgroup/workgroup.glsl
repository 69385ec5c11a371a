// Folds across the invocations of a workgroup, for any monoid over VKP_T and any subgroup size.
//
// Needs what subgroup.glsl needs, and vkp_identity(). Workgroups hold at most 1024 invocations in
// subgroups of at least 4. Call these functions in workgroup-uniform control flow.
#ifndef VKPRIMS_WORKGROUP_GLSL
#define VKPRIMS_WORKGROUP_GLSL

#include "vkprims/subgroup/subgroup.glsl"

#define VKP_MAX_SUBGROUPS (gl_WorkGroupSize.x / 4u)  // subgroups have at least 4 lanes

shared uint vkp_partials[VKP_MAX_SUBGROUPS * VKP_WORDS];

VKP_T vkp_load_partial(const uint i) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) w[k] = vkp_partials[k * VKP_MAX_SUBGROUPS + i];
  return vkp_unpack(w);
}

void vkp_store_partial(const uint i, const VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint k = 0u; k < VKP_WORDS; ++k) vkp_partials[k * VKP_MAX_SUBGROUPS + i] = w[k];
}

// Returns the fold of one value per subgroup (the same in all its lanes), in the order of
// gl_SubgroupID, to every invocation. All subgroups do the same work on the same partials, as
// lavapipe drops the rest of a program after plain shared-memory accesses in a loop that only some
// subgroups run. The first barrier keeps earlier readers of vkp_partials apart from these writes.
VKP_T vkp_fold_subgroups(const VKP_T subgroup_value) {
  barrier();
  if (gl_SubgroupInvocationID == 0u) vkp_store_partial(gl_SubgroupID, subgroup_value);
  barrier();
  // There may be more subgroups than lanes, so each lane first folds a run of neighbours.
  const uint run = (gl_NumSubgroups + gl_SubgroupSize - 1u) / gl_SubgroupSize;
  VKP_T x = vkp_identity();
  for (uint i = 0u; i < run; ++i) {
    const uint partial = gl_SubgroupInvocationID * run + i;
    if (partial < gl_NumSubgroups) x = vkp_combine(x, vkp_load_partial(partial));
  }
  return vkp_subgroup_fold(x);
}

// What lies before a value in a workgroup, and the fold of all.
struct VkpGroupScan {
  VKP_T before;
  VKP_T total;
};

// An exclusive scan of one value per subgroup (the same in all its lanes), in the order of
// gl_SubgroupID. The first barrier is needed as in vkp_fold_subgroups().
VkpGroupScan vkp_scan_subgroups(const VKP_T subgroup_value) {
  barrier();
  if (gl_SubgroupInvocationID == 0u) vkp_store_partial(gl_SubgroupID, subgroup_value);
  barrier();
  // There are few subgroups, so each one runs over all of them.
  VkpGroupScan scan = VkpGroupScan(vkp_identity(), vkp_identity());
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i == gl_SubgroupID) scan.before = scan.total;
    scan.total = vkp_combine(scan.total, vkp_load_partial(i));
  }
  return scan;
}

// An exclusive scan over the invocations, ordered by subgroup and lane.
VkpGroupScan vkp_scan_workgroup(const VKP_T x) {
  const VKP_T inclusive = vkp_subgroup_inclusive_scan(x);
  VKP_T lane_before = vkp_shuffle(inclusive, max(gl_SubgroupInvocationID, 1u) - 1u);
  if (gl_SubgroupInvocationID == 0u) lane_before = vkp_identity();
  VkpGroupScan scan = vkp_scan_subgroups(vkp_shuffle(inclusive, gl_SubgroupSize - 1u));
  scan.before = vkp_combine(scan.before, lane_before);
  return scan;
}

#endif

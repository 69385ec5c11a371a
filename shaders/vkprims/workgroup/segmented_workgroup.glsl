// Scans that begin anew where a segment begins, across the lanes of a subgroup and the subgroups of
// a workgroup, for any monoid over VKP_T and any subgroup size.
//
// The pairs of VkpRun are a monoid themselves, which does not commute (J. Schwartz, 1980; G.
// Blelloch, "Prefix sums and their applications", 1990). Flags need not travel with the values: a
// ballot tells each lane where the last head at or before it is, and a step of the scan across
// lanes takes the value on its left if that value lies at or behind this head.
//
// Needs what workgroup.glsl needs.
#ifndef VKPRIMS_SEGMENTED_WORKGROUP_GLSL
#define VKPRIMS_SEGMENTED_WORKGROUP_GLSL

#extension GL_KHR_shader_subgroup_ballot : require

#include "vkprims/workgroup/workgroup.glsl"

// A part of a sequence.
struct VkpRun {
  bool head;    // a segment begins in it
  VKP_T value;  // the fold from the last such place on, or of everything
};

VkpRun vkp_no_run() { return VkpRun(false, vkp_identity()); }

VkpRun vkp_join(VkpRun left, VkpRun right) {
  if (right.head) return right;
  return VkpRun(left.head, vkp_combine(left.value, right.value));
}

struct VkpRunScan {
  VkpRun before;
  VkpRun total;
};

// Returns the last lane, at or before this one, whose bit is set, or -1 if there is none.
int vkp_last_lane(uvec4 ballot) {
  const uvec4 upto = ballot & gl_SubgroupLeMask;
  int lane = findMSB(upto.x);
  if (gl_SubgroupSize > 32u) {
    [[unroll]] for (int i = 1; i < 4; ++i) {
      if (upto[i] != 0u) lane = 32 * i + findMSB(upto[i]);
    }
  }
  return lane;
}

// An exclusive scan over the first `lanes` lanes; the others have nothing.
VkpRunScan vkp_scan_lane_runs(const VkpRun run, const uint lanes) {
  const uint lane = gl_SubgroupInvocationID;
  const uvec4 heads = subgroupBallot(run.head);
  const uint first = uint(max(vkp_last_lane(heads), 0));
  VKP_T value = run.value;
  for (uint distance = 1u; distance < lanes; distance *= 2u) {
    const VKP_T left = vkp_shuffle(value, lane - min(lane, distance));
    if (lane >= first + distance) value = vkp_combine(left, value);
  }
  VkpRunScan scan;
  scan.before = VkpRun((heads & gl_SubgroupLtMask) != uvec4(0u), vkp_shuffle(value, max(lane, 1u) - 1u));
  if (lane == 0u) scan.before.value = vkp_identity();
  scan.total = VkpRun(heads != uvec4(0u), vkp_shuffle(value, lanes - 1u));
  return scan;
}

VkpRunScan vkp_scan_lane_runs(const VkpRun run) { return vkp_scan_lane_runs(run, gl_SubgroupSize); }

shared uint vkp_partial_heads[VKP_MAX_SUBGROUPS];

VkpRun vkp_load_partial_run(const uint i) {
  if (i >= gl_NumSubgroups) return vkp_no_run();
  return VkpRun(vkp_partial_heads[i] != 0u, vkp_load_partial(i));
}

// An exclusive scan of one run per subgroup (the same in all its lanes), in the order of
// gl_SubgroupID. It has barriers, as vkp_scan_subgroups() does. Each lane has one run, or more
// where there are more subgroups than lanes. All subgroups run the same loops, for lavapipe
// (README.md).
VkpRunScan vkp_scan_subgroup_runs(VkpRun run) {
  barrier();
  if (gl_SubgroupInvocationID == 0u) {
    vkp_store_partial(gl_SubgroupID, run.value);
    vkp_partial_heads[gl_SubgroupID] = uint(run.head);
  }
  barrier();
  const uint each = (gl_NumSubgroups + gl_SubgroupSize - 1u) / gl_SubgroupSize;
  VkpRun own = vkp_no_run();
  for (uint i = 0u; i < each; ++i) {
    own = vkp_join(own, vkp_load_partial_run(gl_SubgroupInvocationID * each + i));
  }
  VkpRunScan scan = vkp_scan_lane_runs(own, (gl_NumSubgroups + each - 1u) / each);
  const uint lane = gl_SubgroupID / each;
  scan.before.head = subgroupShuffle(uint(scan.before.head), lane) != 0u;
  scan.before.value = vkp_shuffle(scan.before.value, lane);
  for (uint i = lane * each; i < (lane + 1u) * each; ++i) {
    if (i < gl_SubgroupID) scan.before = vkp_join(scan.before, vkp_load_partial_run(i));
  }
  return scan;
}

#endif

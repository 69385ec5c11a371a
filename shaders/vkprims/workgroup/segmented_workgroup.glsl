// Scans that begin anew where a segment begins, across the lanes of a subgroup and the subgroups of
// a workgroup, for any monoid over VKP_T and any subgroup size.
//
// The pairs of VkpLaneTail are a monoid themselves, which does not commute (J. Schwartz, 1980; G.
// Blelloch, "Prefix sums and their applications", 1990). Flags need not travel with the values: a
// ballot tells each lane where the last head at or before it is, and a step of the scan across
// lanes takes the value on its left if that value lies at or behind this head.
//
// Needs what workgroup.glsl needs.
#ifndef VKPRIMS_SEGMENTED_WORKGROUP_GLSL
#define VKPRIMS_SEGMENTED_WORKGROUP_GLSL

#extension GL_KHR_shader_subgroup_ballot : require

#include "vkprims/workgroup/workgroup.glsl"

// What the elements of a lane, or of several, leave to those behind them: the fold from their last
// head on, or of all of them. It is what VkpTail is to strips (segmented_scan_strip.glsl).
struct VkpLaneTail {
  bool closed;  // there is a head: a segment begins
  VKP_T value;
};

VkpLaneTail vkp_no_lane_tail() { return VkpLaneTail(false, vkp_identity()); }

VkpLaneTail vkp_join(VkpLaneTail left, VkpLaneTail right) {
  if (right.closed) return right;
  return VkpLaneTail(left.closed, vkp_combine(left.value, right.value));
}

struct VkpLaneTails {
  VkpLaneTail before;
  VkpLaneTail total;
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
VkpLaneTails vkp_scan_lane_tails(const VkpLaneTail tail, const uint lanes) {
  const uint lane = gl_SubgroupInvocationID;
  const uvec4 heads = subgroupBallot(tail.closed);
  const uint first = uint(max(vkp_last_lane(heads), 0));
  VKP_T value = tail.value;
  for (uint distance = 1u; distance < lanes; distance *= 2u) {
    const VKP_T left = vkp_shuffle(value, lane - min(lane, distance));
    if (lane >= first + distance) value = vkp_combine(left, value);
  }
  VkpLaneTails scan;
  scan.before = VkpLaneTail((heads & gl_SubgroupLtMask) != uvec4(0u),
                            vkp_shuffle(value, max(lane, 1u) - 1u));
  if (lane == 0u) scan.before.value = vkp_identity();
  scan.total = VkpLaneTail(heads != uvec4(0u), vkp_shuffle(value, lanes - 1u));
  return scan;
}

VkpLaneTails vkp_scan_lane_tails(const VkpLaneTail tail) {
  return vkp_scan_lane_tails(tail, gl_SubgroupSize);
}

shared uint vkp_subgroup_closed[VKP_MAX_SUBGROUPS];

VkpLaneTail vkp_load_subgroup_tail(const uint i) {
  if (i >= gl_NumSubgroups) return vkp_no_lane_tail();
  return VkpLaneTail(vkp_subgroup_closed[i] != 0u, vkp_load_partial(i));
}

// An exclusive scan of one tail per subgroup (the same in all its lanes), in the order of
// gl_SubgroupID. It has barriers, as vkp_scan_subgroups() does. Each lane has one tail, or more
// where there are more subgroups than lanes. All subgroups run the same loops, for lavapipe
// (README.md).
VkpLaneTails vkp_scan_subgroup_tails(VkpLaneTail tail) {
  barrier();
  if (gl_SubgroupInvocationID == 0u) {
    vkp_store_partial(gl_SubgroupID, tail.value);
    vkp_subgroup_closed[gl_SubgroupID] = uint(tail.closed);
  }
  barrier();
  const uint each = (gl_NumSubgroups + gl_SubgroupSize - 1u) / gl_SubgroupSize;
  VkpLaneTail own = vkp_no_lane_tail();
  for (uint i = 0u; i < each; ++i) {
    own = vkp_join(own, vkp_load_subgroup_tail(gl_SubgroupInvocationID * each + i));
  }
  VkpLaneTails scan = vkp_scan_lane_tails(own, (gl_NumSubgroups + each - 1u) / each);
  const uint lane = gl_SubgroupID / each;
  scan.before.closed = subgroupShuffle(uint(scan.before.closed), lane) != 0u;
  scan.before.value = vkp_shuffle(scan.before.value, lane);
  for (uint i = lane * each; i < (lane + 1u) * each; ++i) {
    if (i < gl_SubgroupID) scan.before = vkp_join(scan.before, vkp_load_subgroup_tail(i));
  }
  return scan;
}

#endif

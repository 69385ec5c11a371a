// Folds across the lanes of a subgroup, for any monoid over VKP_T and any subgroup size.
//
// Needs VKP_T, VKP_WORDS, vkp_pack, vkp_unpack, vkp_combine. Values cross lanes as 32-bit words, so
// 64-bit and struct types need no further feature. Call these functions in subgroup-uniform control
// flow with all lanes active.
#ifndef VKPRIMS_SUBGROUP_GLSL
#define VKPRIMS_SUBGROUP_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "vkprims/core.glsl"

#ifndef VKP_T
#error "subgroup.glsl: define VKP_T and what belongs to it first, or include vkprims/types.glsl"
#endif

VKP_T vkp_shuffle(const VKP_T x, const uint lane) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = subgroupShuffle(w[i], lane);
  return vkp_unpack(w);
}

// Does the same as vkp_shuffle(x, lane ^ mask), which makes scan 2 to 5 % slower (H200).
VKP_T vkp_shuffle_xor(const VKP_T x, const uint mask) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = subgroupShuffleXor(w[i], mask);
  return vkp_unpack(w);
}

// Returns x of lane 0 (+) x of lane 1 (+) …, in this order, to every lane: in a butterfly each lane
// combines two neighbouring runs of lanes, with the lower run on the left.
VKP_T vkp_subgroup_fold(VKP_T x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const VKP_T other = vkp_shuffle_xor(x, distance);
    const bool upper = (gl_SubgroupInvocationID & distance) != 0u;
    VKP_T left = x;
    VKP_T right = other;
    if (upper) {
      left = other;
      right = x;
    }
    x = vkp_combine(left, right);
  }
  return x;
}

// Returns x of lane 0 (+) … (+) x of this lane.
VKP_T vkp_subgroup_inclusive_scan(VKP_T x) {
  const uint lane = gl_SubgroupInvocationID;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const VKP_T left = vkp_shuffle(x, lane - min(lane, distance));
    if (lane >= distance) x = vkp_combine(left, x);
  }
  return x;
}

#endif

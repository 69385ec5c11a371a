// Top k, where only some of the elements that are equal to the last one are taken: finds how far
// they go, as the first ones are taken. Every workgroup counts those of its chunk. The workgroup
// that finishes last (last_group.glsl) finds the chunk of the last element taken and looks for the
// element there.
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/top_k/chunks.glsl"
#include "sort/top_k/ties.glsl"
#include "vkprims/device/last_group.glsl"

VkpSharedWords tie_count(uint chunk) {
  return VkpSharedWords(scratch_address(VKP_TOP_K_TIES_OFFSET + 4u * chunk));
}

uvec2 bin_count(uint chunk) {
  return uvec2(atomicLoad(tie_count(chunk).v[0], gl_ScopeQueueFamily, 0, 0), 0u);
}

// Returns the position of a candidate in the input.
uvec2 position_of(uvec2 candidate) {
  if ((vkp_outputs & VKP_COMPACT_WIDE_INDICES) != 0u) {
    return VkpWords2(vkp_add64(vkp_u64(push.candidate_indices), vkp_mul64(candidate, 8u))).v[0];
  }
  return uvec2(VkpWords(vkp_add64(vkp_u64(push.candidate_indices), vkp_mul64(candidate, 4u))).v[0],
               0u);
}

void main() {
  if (plan_word(VKP_TOP_K_STATE) != VKP_TOP_K_SOME_TIES) return;
  const uint group = vkp_group_index();
  const uint groups = 1u << push.group_shift;
  if (group >= groups) return;
  const Source s = find_source();
  const VKP_KEY last = plan_code(VKP_TOP_K_LAST64);
  const uvec2 rank = plan_number(VKP_TOP_K_RANK64);
  const uint count = count_ties(chunk_of(s, group), last);
  if (gl_LocalInvocationIndex == 0u) tie_count(group).v[0] = count;
  const uvec2 arrivals =
      scratch_address(VKP_TOP_K_PLAN_OFFSET + 4u * (VKP_TOP_K_ARRIVALS + VKP_TOP_K_MAX_PASSES));
  if (!vkp_last_group(arrivals, groups)) return;
  const Choice chunk = choose_bin(rank, groups);
  const uint in_chunk = find_tie(chunk_of(s, chunk.bin), last, vkp_sub64(rank, chunk.before).x);
  if (gl_LocalInvocationIndex != 0u) return;
  uvec2 position = vkp_add64(chunk_first(s, chunk.bin), in_chunk);
  if (s.candidates && !candidates_suffice()) position = position_of(position);
  set_plan(VKP_TOP_K_TIES64, vkp_add64(position, 1u));
  set_plan(VKP_TOP_K_STATE, VKP_TOP_K_CUT);
}

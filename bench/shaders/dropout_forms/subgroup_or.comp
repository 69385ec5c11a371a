// Dropout with four elements an invocation whose bits of mask eight lanes put together: a word for each 32 elements.
#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
#include "form.glsl"

void main() {
  const uvec2 i = vkp_shl64(index(), 2u);
  const bool there = vkp_less64(i, vkp_u64(push.count));  // the count is a multiple of 4
  const uvec2 offset = vkp_shl64(i, 2u);
  uvec4 cell = uvec4(0u);
  if (there) cell = VkpWords4(vkp_add64(vkp_u64(push.in_base), offset)).v[0];
  const uvec4 words = vkp_rng_block(kRng, vkp_shr64(i, 2u), 10u);
  uint mask = 0u;
  [[unroll]] for (uint k = 0u; k < 4u; ++k) {
    const bool keep = there && words[k] >= push.threshold;
    cell[k] = floatBitsToUint(dropped(uintBitsToFloat(cell[k]), keep));
    mask |= (keep ? 1u : 0u) << k;
  }
  mask <<= 4u * (gl_SubgroupInvocationID & 7u);
  [[unroll]] for (uint distance = 1u; distance < 8u; distance *= 2u) mask |= subgroupShuffleXor(mask, distance);
  if (!there) return;
  VkpWords4(vkp_add64(vkp_u64(push.out_base), offset)).v[0] = cell;
  if ((i.x & 31u) == 0u) VkpWords(vkp_add64(vkp_u64(push.mask), vkp_shr64(i, 3u))).v[0] = mask;
}

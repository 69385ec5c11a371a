// Dropout with four elements an invocation whose bits of mask eight lanes put together: a word for
// each 32 elements.
#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
#include "form.glsl"
#include "vkprims/memory/bytes.glsl"

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
  const uint first_bit = i.x & 31u;
  const uint lanes = min(gl_SubgroupSize, 8u);
  mask <<= first_bit;
  for (uint distance = 1u; distance < lanes; distance *= 2u) {
    mask |= subgroupShuffleXor(mask, distance);
  }
  if (!there) return;
  VkpWords4(vkp_add64(vkp_u64(push.out_base), offset)).v[0] = cell;
  if (gl_SubgroupInvocationID % lanes != 0u) return;
  const uvec2 word = vkp_add64(vkp_u64(push.mask), vkp_shl64(vkp_shr64(i, 5u), 2u));
  // A subgroup of 4 has half a word.
  vkp_store_bytes(word, mask, lanes == 8u ? ~0u : 0xffffu << first_bit);
}

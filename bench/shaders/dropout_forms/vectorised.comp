// Dropout with four elements an invocation: all words of a block are used, memory moves by 16
// bytes, four bytes of mask.
#version 460
#include "form.glsl"

void main() {
  const uvec2 i = vkp_shl64(index(), 2u);
  if (!vkp_less64(i, vkp_u64(push.count))) return;  // the count is a multiple of 4
  const uvec2 offset = vkp_shl64(i, 2u);
  const uvec4 cell = VkpWords4(vkp_add64(vkp_u64(push.in_base), offset)).v[0];
  const uvec4 words = vkp_rng_block(kRng, vkp_shr64(i, 2u), 10u);
  uvec4 result;
  uint mask = 0u;
  [[unroll]] for (uint k = 0u; k < 4u; ++k) {
    const bool keep = words[k] >= push.threshold;
    result[k] = floatBitsToUint(dropped(uintBitsToFloat(cell[k]), keep));
    mask |= (keep ? 1u : 0u) << 8u * k;
  }
  VkpWords4(vkp_add64(vkp_u64(push.out_base), offset)).v[0] = result;
  VkpWords(vkp_add64(vkp_u64(push.mask), i)).v[0] = mask;
}

// Stores the bits of a tile (row_bits.glsl), in whole words, as no other tile has bits in them.
#ifndef VKPRIMS_STRINGS_STORE_ROW_BITS_GLSL
#define VKPRIMS_STRINGS_STORE_ROW_BITS_GLSL

#include "vkprims/strings/row_bits.glsl"

void vkp_store_bits_word(const uvec2 base, const uint x) {
  const uint word = vkp_group_index() * VKP_BITS_WORDS + vkp_own_word();
  if (base == uvec2(0u) || gl_LocalInvocationIndex >= VKP_BITS_WORDS ||
      32u * word >= vkp_push.rows) {
    return;
  }
  VkpWords(vkp_add64(base, vkp_mul64(word, 4u))).v[0] = x;
}

// Stores the bits at `results`, if that is an address, and the validity. With `only_valid`, null
// rows have no bits.
void vkp_end_bits(uvec2 results, bool only_valid) {
  barrier();
  const uint valid = vkp_valid_words[vkp_own_word()];
  const uint bits = vkp_result_words[vkp_own_word()] & (only_valid ? valid : ~0u);
  vkp_store_bits_word(results, bits);
  vkp_store_bits_word(vkp_u64(vkp_push.out_validity), valid);
}

#endif

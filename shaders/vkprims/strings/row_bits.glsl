// Bits of rows, by tiles of rows of a column: a bit that is the result of a row, if that is wanted,
// and the validity. A workgroup has a tile; store_row_bits.glsl stores its words.
#ifndef VKPRIMS_STRINGS_ROW_BITS_GLSL
#define VKPRIMS_STRINGS_ROW_BITS_GLSL

#include "vkprims/strings/strings.glsl"

const uint VKP_BITS_ROWS = gl_WorkGroupSize.x * VKP_STRINGS_ROWS;  // rows of a tile

shared uint vkp_result_words[VKP_BITS_ROWS / 32u];
shared uint vkp_valid_words[VKP_BITS_ROWS / 32u];

// Returns the place in the tile of row `r` of this invocation.
uint vkp_row_in_tile(const uint r) { return r * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

// All invocations do the same, for lavapipe (vkprims/README.md), so several of them write the same
// word.
const uint VKP_BITS_WORDS = VKP_BITS_ROWS / 32u;
uint vkp_own_word() { return gl_LocalInvocationIndex % VKP_BITS_WORDS; }

void vkp_begin_bits() {
  vkp_result_words[vkp_own_word()] = 0u;
  vkp_valid_words[vkp_own_word()] = 0u;
  barrier();
}

void vkp_set_valid(uint i) {
  atomicOr(vkp_valid_words[i / 32u], 1u << (i & 31u), gl_ScopeWorkgroup, 0, 0);
}
void vkp_set_bit(uint i) {
  atomicOr(vkp_result_words[i / 32u], 1u << (i & 31u), gl_ScopeWorkgroup, 0, 0);
}

#endif

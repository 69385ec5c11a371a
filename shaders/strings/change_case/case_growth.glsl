// This counts by how many bytes the characters that begin in some bytes of a text grow, modulo
// 2^32, for unit_sums.comp.
#ifndef STRINGS_CASE_GROWTH_GLSL
#define STRINGS_CASE_GROWTH_GLSL

#include "strings/change_case/case.glsl"

// Returns bit 7 of each byte that leads a unit of two or three bytes, if the other bytes follow.
uint leads_of_word(uint x) { return x & x << 1 & ~(x << 2 & x << 3) & 0x80808080u; }

uint growth_of_unit(uint word) {
  const uint bytes = unit_bytes(word);
  if (bytes != 2u && bytes != 3u) return 0u;
  const uint target = changed(code_point_of(word, bytes));
  if (target == 0u) return 0u;
  uint to_bytes = target < 0x80u ? 1u : target < 0x800u ? 2u : 3u;
  if (target >= VKP_CASE_EXPANSION && target < VKP_CASE_EXPANSION_END) {
    to_bytes = table_word(2u * (target - VKP_CASE_EXPANSION) + 1u) >> 24;
  }
  return to_bytes - bytes;
}

uvec2 sum_of_part(VkpText t, uint begin, uint end) {
  uint leads = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    const uint i = begin + 4u * k;
    if (i >= end) continue;
    leads |= vkp_bits_of_bytes(leads_of_word(vkp_text_word(t, int(i))) & vkp_first_bytes(end - i))
             << (4u * k);
  }
  uint growth = 0u;
  for (; leads != 0u; leads &= leads - 1u) {
    growth += growth_of_unit(vkp_text_word(t, int(begin) + findLSB(leads)));
  }
  return uvec2(growth, 0u);
}

#endif

// Marks of tokens, for team_marks.glsl: where words begin, and whitespace; or delimiters.
#ifndef STRINGS_TOKEN_MARKS_GLSL
#define STRINGS_TOKEN_MARKS_GLSL

#include "strings/team_marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint by_whitespace = 0;

uint bytes_behind() { return by_whitespace != 0u ? 0u : arguments().v.text_bytes - 1u; }

uvec2 word_marks(VkpText t, uint begin, uint end) {
  uint word[8];
  load_part(t, begin, word);
  const uint spaces = whitespace_of_part(word);
  const bool behind_space = begin == 0u || vkp_text_byte(t, max(begin, 1u) - 1u) <= 0x20u;
  return uvec2(~spaces & (spaces << 1 | uint(behind_space)), spaces) & bits_before(begin, end);
}

// Where the delimiter begins, which may overlap itself.
uint delimiter_marks(VkpText t, uint begin, uint end) {
  const VkpText delimiter = scalar_text();
  if (delimiter.bytes > t.bytes) return 0u;
  const uint last = t.bytes - delimiter.bytes;
  if (begin > last) return 0u;
  const uint head = vkp_head(delimiter);
  const uint mask = vkp_head_mask(delimiter);
  uint word[8];
  load_part(t, begin, word);
  const uint behind = vkp_text_word(t, int(begin + 32u));
  uint marks = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    marks |= vkp_places_of_head(word[k], k < 7u ? word[min(k + 1u, 7u)] : behind, head, mask) << (4u * k);
  }
  marks &= bits_before(begin, min(end, last + 1u));
  if (delimiter.bytes <= 4u) return marks;
  for (uint rest = marks; rest != 0u; rest &= rest - 1u) {
    if (!vkp_is_at(t, begin + uint(findLSB(rest)), delimiter)) marks &= ~(rest & 0u - rest);
  }
  return marks;
}

uvec2 marks_of_part(VkpText t, uint begin, uint end) {
  return by_whitespace != 0u ? word_marks(t, begin, end) : uvec2(delimiter_marks(t, begin, end), 0u);
}

#endif

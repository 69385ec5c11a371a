// Marks of the bytes of a text: one bit for each byte, which says, for example, whether the byte
// begins a character or is whitespace.
//
// Needs
//   uint marks_of(uint x, uint next)   bit k: the mark of byte k of word x, which `next` follows
#ifndef STRINGS_MARK_WORDS_GLSL
#define STRINGS_MARK_WORDS_GLSL

#include "vkprims/strings/strings.glsl"
#include "vkprims/memory/bytes.glsl"

uint marks_of(const uint x, const uint next);

uint marks_of_words(uint w[9]) {
  uint m = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) m |= marks_of(w[k], w[k + 1u]) << (4u * k);
  return m;
}

// Loads from memory 32 bytes of the row from byte `i` on, and the word behind them. A word that has
// no byte of the row becomes 0.
void load_row_bytes(VkpText t, uint i, out uint w[9]) {
  const uvec2 at = vkp_add64(t.at, i);
  const uint ahead = at.x & 3u;
  const uvec2 base = uvec2(at.x & ~3u, at.y);
  const uint bytes = t.bytes - i + ahead;  // counted from `base`
  uint x[10];
  [[unroll]] for (uint k = 0u; k < 10u; ++k) {
    x[k] = 0u;
    if (4u * k < bytes) x[k] = VkpWords(base).v[k];
  }
  [[unroll]] for (uint k = 0u; k < 9u; ++k) w[k] = vkp_word_down(x[k], x[k + 1u], 8u * ahead);
}

// The marks of these 32 bytes.
uint marks_in_memory(VkpText t, uint i) {
  uint w[9];
  load_row_bytes(t, i, w);
  return marks_of_words(w);
}

// ---- Kinds of marks.

// Bit 7 of each byte of a word, as bits 0 … 3.
uint marks_of_bits7(uint x) { return vkp_bits_of_bytes(x & 0x80808080u); }

// Marks bytes that begin characters.
uint marks_of_characters(uint x) { return marks_of_bits7(~x | x << 1); }

// Marks whitespace, which is every byte up to 0x20.
uint marks_of_whitespace(uint x) { return vkp_bits_of_bytes(vkp_whitespace_of_word(x)); }
// Marks the places where the first four bytes of a text are, as vkp_head() and vkp_head_mask() give
// them.
uint marks_of_head(uint x, uint next, uint head, uint mask) {
  return vkp_places_of_head(x, next, head, mask);
}

#endif

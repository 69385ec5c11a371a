// Parts of up to 32 bytes of a text, in registers, and bits that say which of their bytes begin a
// character or are whitespace.
#ifndef STRINGS_TEXT_BYTES_GLSL
#define STRINGS_TEXT_BYTES_GLSL

#include "vkprims/memory/bytes.glsl"
#include "vkprims/strings/rows.glsl"

// Loads the 32 bytes of a text from byte `begin` on; what is behind the end is arbitrary.
void load_part(VkpText t, uint begin, out uint word[8]) {
  const uvec2 at = vkp_add64(t.at, begin);
  const uint ahead = at.x & 3u;
  const uint end = begin < t.bytes ? ahead + (t.bytes - begin) : 0u;
  VkpWords base = VkpWords(uvec2(at.x - ahead, at.y));
  uint w[9];
  [[unroll]] for (uint k = 0u; k < 9u; ++k) {
    w[k] = 0u;
    if (4u * k < end) w[k] = base.v[k];
  }
  [[unroll]] for (uint k = 0u; k < 8u; ++k) word[k] = vkp_word_down(w[k], w[k + 1u], 8u * ahead);
}

// Returns the bits of bytes begin … end - 1.
uint bits_before(uint begin, uint end) {
  return end - begin >= 32u ? ~0u : ~(~0u << (end - begin));
}

uint starts_of_part(uint word[8]) {
  uint bits = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    bits |= vkp_bits_of_bytes(vkp_starts_of_word(word[k])) << (4u * k);
  }
  return bits;
}

uint whitespace_of_part(uint word[8]) {
  uint bits = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    bits |= vkp_bits_of_bytes(vkp_whitespace_of_word(word[k])) << (4u * k);
  }
  return bits;
}

// Returns the bits of bytes begin … end - 1 that begin characters; the first byte of the text does
// in any case.
uint character_starts(VkpText t, uint begin, uint end) {
  uint word[8];
  load_part(t, begin, word);
  return (starts_of_part(word) | uint(begin == 0u)) & bits_before(begin, end);
}

#endif

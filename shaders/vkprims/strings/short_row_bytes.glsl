// The bytes of short rows (short_rows.glsl), in registers and on their way into the region of a
// subgroup.
#ifndef VKPRIMS_STRINGS_SHORT_ROW_BYTES_GLSL
#define VKPRIMS_STRINGS_SHORT_ROW_BYTES_GLSL

#include "vkprims/strings/region.glsl"

// ---- From memory.

// Loads the `most` + 1 words that have the first bytes of a text of a column or of a scalar. Words
// without any byte of the text stay undefined. (The first word of an empty text has bytes of the
// column before it, or the text begins with the word, which is then not loaded. This is a macro, as
// GLSL has no arrays of any size. The address is computed once, so that it is not made again behind
// the branch of each word.)
#define VKP_LOAD_WORDS(words, most, text)                                       \
  {                                                                         \
    VkpWords base = VkpWords(uvec2(text.at.x & ~3u, text.at.y));            \
    const uint end = (text.at.x & 3u) + text.bytes;                         \
    [[unroll]] for (uint i = 0u; i <= most; ++i) {                          \
      if (4u * i < end) words[i] = base.v[i];                               \
    }                                                                       \
  }

// ---- In registers.

// Moves bit 7 of each byte of words that have no other bits set to bits 0, 1, …; the number of
// words is even and at most 8.
uint vkp_bits_of_head(uint marks[VKP_FIRST_WORDS]) {
  uint bits = 0u;
  [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS; i += 2u) {
    bits |= vkp_bits_of_bytes(marks[i], marks[min(i + 1u, VKP_FIRST_WORDS - 1u)]) << (4u * i);
  }
  return bits;
}

// Returns the bytes of a head from byte `begin` on, which is below 4 * VKP_FIRST_WORDS. What comes
// behind the head is undefined.
void vkp_bytes_from(uint head[VKP_FIRST_WORDS], uint begin, out uint w[VKP_ROW_WORDS]) {
  uint x[VKP_FIRST_WORDS] = head;
  [[unroll]] for (uint words = 4u; words != 0u; words /= 2u) {
    if (words >= VKP_FIRST_WORDS) continue;
    const bool moves = (begin & 4u * words) != 0u;
    [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS; ++i) {
      x[i] = moves ? x[min(i + words, VKP_FIRST_WORDS - 1u)] : x[i];
    }
  }
  const uint down = 8u * (begin & 3u);
  [[unroll]] for (uint i = 0u; i < VKP_ROW_WORDS; ++i) {
    const uint k = min(i, VKP_FIRST_WORDS - 1u);
    w[i] = vkp_word_down(x[k], x[min(k + 1u, VKP_FIRST_WORDS - 1u)], down);
  }
}

// Moves the bytes of a row up by `bytes`, which is at most `most`, a constant below 32. The first
// bytes become 0.
void vkp_move_row_up(inout uint w[VKP_ROW_WORDS], uint bytes, const uint most) {
  [[unroll]] for (uint words = 4u; words != 0u; words /= 2u) {
    if (4u * words > most) continue;
    const bool moves = (bytes & 4u * words) != 0u;
    [[unroll]] for (uint k = 1u; k <= VKP_ROW_WORDS; ++k) {
      const uint i = VKP_ROW_WORDS - k;
      const uint from = i >= words ? w[i - min(words, i)] : 0u;
      w[i] = moves ? from : w[i];
    }
  }
  const uint up = 8u * (bytes & 3u);
  [[unroll]] for (uint k = 1u; k <= VKP_ROW_WORDS; ++k) {
    const uint i = VKP_ROW_WORDS - k;
    w[i] = vkp_word_up(i != 0u ? w[i - min(i, 1u)] : 0u, w[i], up);
  }
}

// Keeps of word `i` of a text of `bytes` bytes, at most 2^31, the bytes that belong to the text;
// the others become 0. (Two shifts are used, as a shift by 32 bits is undefined.)
uint vkp_first_bytes_of_word(uint x, uint i, uint bytes) {
  const uint bits = 4u * uint(clamp(int(bytes) - int(4u * i), 0, 4));
  return x & ~(~0u << bits << bits);
}

// ---- To the region.

// Stores the body of a row, if the row is known, at byte `at` of the region.
VkpRegionHead vkp_stage_body(uint at, VkpShortRow x, uint row_bytes) {
  const uint begin = at & 3u;
  const uint end = begin + (x.is_known ? row_bytes : 0u);
  const int base = vkp_region_word(at >> 2);
  uint before = 0u;
  uint first = 0u;
  [[unroll]] for (uint i = 0u; i <= VKP_ROW_WORDS; ++i) {
    const uint next = i < VKP_ROW_WORDS ? x.words[min(i, VKP_ROW_WORDS - 1u)] : 0u;
    const uint word = vkp_word_up(before, next, 8u * begin);
    before = next;
    if (i == 0u) first = word;
    if (i == 0u ? begin == 0u && end != 0u : 4u * i < end) vkp_region[base + int(i)] = word;
  }
  return vkp_end_body(base, begin, end, first);
}

#endif

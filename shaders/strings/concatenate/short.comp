// The rows of two columns behind each other, most of them short, with a separator of up to 8 bytes
// between them. Rows with a null are null.
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"

#include "strings/concatenate/joined.glsl"

#define VKP_FIRST_WORDS 4
#define VKP_FIRST_WORDS_B 4
#define VKP_ROW_WORDS 6
#include "vkprims/strings/short_rows.glsl"

uvec2 separator_words;

VkpShortRow vkp_short_row(const uint row, const VkpTextCells c) {
  const uint a = c.a.text.bytes;
  const uint b = c.b.text.bytes;
  VkpShortRow x;
  x.valid = c.a.valid && c.b.valid;
  x.bytes = a + separator.bytes + b;
  x.is_known = a < 16u && b <= 16u && x.bytes <= 4u * VKP_ROW_WORDS;
  // The row is put together from its end: b moves up by the separator, both by a.
  [[unroll]] for (uint i = 0u; i < VKP_ROW_WORDS; ++i) {
    x.words[i] = i < VKP_FIRST_WORDS_B ? c.head_b[min(i, VKP_FIRST_WORDS_B - 1u)] : 0u;
  }
  vkp_move_row_up(x.words, separator.bytes, 8u);
  x.words[0] |= separator_words.x;
  x.words[1] |= separator_words.y;
  vkp_move_row_up(x.words, a & 15u, 15u);
  [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS; ++i) {
    x.words[i] |= vkp_first_bytes_of_word(c.head[i], i, a);
  }
  return x;
}

void main() {
  load_texts();
  separator_words = uvec2(vkp_text_word(separator, 0), vkp_text_word(separator, 4));
  vkp_rope();
}

// A token of each row, where most rows are short; delimiters are whitespace or one byte. Bytes of a
// row that registers hold are looked at as bits, one for each delimiter.
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_rows.glsl"
#include "strings/split/token.glsl"

#define VKP_MOST_PIECES 1u

#define VKP_STRING_ROW Row
struct Row {
  VkpText text;
};

#define VKP_FIRST_WORDS 6
#include "vkprims/strings/short_rows.glsl"

const uint HEAD_BYTES = 4u * VKP_FIRST_WORDS;

uint delimiter_bytes() {
  return by_whitespace != 0u ? 0u : vkp_text_byte(vkp_scalar_text(), 0u) * 0x01010101u;
}
uint delimiters_of_word(uint x, uint delimiter) {
  return by_whitespace != 0u ? vkp_whitespace_of_word(x) : vkp_zeros_of_word(x ^ delimiter);
}

uint delimiters_of(uint x[VKP_FIRST_WORDS]) {
  const uint delimiter = delimiter_bytes();
  [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS; ++i) x[i] = delimiters_of_word(x[i], delimiter);
  return vkp_bits_of_head(x);
}

uint next_mark(const VkpText t, const uint begin, const bool marked) {
  const uint delimiter = delimiter_bytes();
  for (uint i = begin; i < t.bytes; i += 16u) {
    const VkpText part = vkp_substr(t, i, 16u);
    uvec4 x = vkp_load_head(part);
    [[unroll]] for (uint k = 0u; k < 4u; ++k) x[k] = delimiters_of_word(x[k], delimiter);
    uint m = vkp_bits_of_bytes(x.x, x.y) | vkp_bits_of_bytes(x.z, x.w) << 8;
    if (!marked) m = ~m;
    m &= ~(~0u << part.bytes);
    if (m != 0u) return i + uint(findLSB(m));
  }
  return t.bytes;
}

bool is_delimiter(VkpText t, uint place, VkpText what) { return true; }

bool vkp_evaluate(uint row, out Row x) {
  x.text = vkp_row_text(vkp_push.a, row);
  if (!vkp_valid(vkp_push.a, row)) return false;
  const LongRow y = long_row(row, x.text);
  return is_known(y) ? cut_known(y, x.text) : cut(row, x.text);
}

VkpText vkp_piece(const Row x, const uint row, const uint k) { return x.text; }

VkpShortRow vkp_short_row(const uint row, const VkpTextCells c) {
  const uint bytes = c.a.text.bytes;
  const uint known = min(bytes, HEAD_BYTES);
  const uint all = ~(~0u << known);
  const uint delimiters = delimiters_of(c.head) & all;
  // Tokens of whitespace begin where words do, others at the beginning and behind each delimiter.
  const uint others = all & ~delimiters;
  uint begins = by_whitespace != 0u ? others & ~(others << 1) : delimiters << 1 | 1u;
  [[dont_unroll]] for (uint n = min(wanted_token(), HEAD_BYTES + 1u); n != 0u; --n) {
    begins &= begins - 1u;
  }
  const bool there = begins != 0u;
  const uint begin = there ? uint(findLSB(begins)) : 0u;
  const uint behind = wants_rest() ? 0u : delimiters & ~0u << begin;
  const uint end = min(uint(findLSB(behind)), known);
  VkpShortRow x;
  x.is_known = (bytes <= HEAD_BYTES || there && behind != 0u) &&
               (!there || end - begin <= 4u * VKP_ROW_WORDS);
  x.valid = c.a.valid && (there || !x.is_known);
  x.bytes = end - begin;
  vkp_bytes_from(c.head, min(begin, HEAD_BYTES - 1u), x.words);
  return x;
}

void main() { vkp_rope(); }

// Slices of characters that begin and end among the first 16: from start to stop, as in Python.
// What is wanted is mostly in the first bytes of a row, which an invocation has in registers.
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_rows.glsl"

#define VKP_MOST_PIECES 1u

#define VKP_STRING_ROW Row
struct Row {
  VkpText text;
};

#include "vkprims/strings/short_rows.glsl"

uint start_of_slice() { return uint(vkp_arguments().v.start); }
uint stop_of_slice() { return max(uint(vkp_arguments().v.stop), start_of_slice()); }

// Returns which of 16 bytes begin a character, as bits.
uint starts_of(uint x[VKP_FIRST_WORDS]) {
  [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS; ++i) x[i] = vkp_starts_of_word(x[i]);
  return vkp_bits_of_head(x);
}

// Returns where character number `n`, below 16, begins; 16 if that is not one of these bytes.
uint nth_start(uint starts, uint n) {
  const uint upto = (2u << n) - 1u;
  if ((starts & upto) == upto) return n;  // single bytes
  [[dont_unroll]] for (; n != 0u; --n) starts &= starts - 1u;
  return min(uint(findLSB(starts)), 16u);
}

// Returns the same for a row of any length; its end if there are fewer characters.
uint position_of(VkpText t, uint n) {
  for (uint i = 0u; i < t.bytes; i += 16u) {
    const VkpText part = vkp_substr(t, i, 16u);
    const uvec4 x = vkp_load_head(part);
    const uint starts =
        (starts_of(uint[](x.x, x.y, x.z, x.w)) | uint(i == 0u)) & ~(~0u << part.bytes);
    const uint count = bitCount(starts);
    if (n < count) return i + nth_start(starts, n);
    n -= count;
  }
  return t.bytes;
}

bool vkp_evaluate(uint row, out Row x) {
  x.text = vkp_row_text(vkp_push.a, row);
  if (!vkp_valid(vkp_push.a, row)) return false;
  const LongRow y = long_row(row, x.text);
  if (is_known(y)) return cut_known(y, x.text);
  const uint begin = position_of(x.text, start_of_slice());
  x.text = vkp_substr(x.text, begin, position_of(x.text, stop_of_slice()) - begin);
  return true;
}

VkpText vkp_piece(const Row x, const uint row, const uint k) { return x.text; }

VkpShortRow vkp_short_row(const uint row, const VkpTextCells c) {
  const uint bytes = c.a.text.bytes;
  const uint known = min(bytes, 16u);
  const uint starts = (starts_of(c.head) | 1u) & ~(~0u << known);
  const uint begin = min(nth_start(starts, start_of_slice()), known);
  const uint end = min(nth_start(starts, stop_of_slice()), known);
  VkpShortRow x;
  x.valid = c.a.valid;
  x.is_known = end < 16u || bytes <= 16u || stop_of_slice() == start_of_slice();
  x.bytes = end - begin;
  vkp_bytes_from(c.head, begin & 15u, x.words);
  return x;
}

void main() { vkp_rope(); }

// Token number `start` of each row: what lies between delimiters, or between runs of whitespace.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint by_whitespace = 0;

#define MOST_PIECES 1u

struct Row {
  VkpText text;
};

// The first byte from `begin` on that is whitespace, or is not: a byte up to 0x20 or above. The end if there is none.
uint find_whitespace(VkpText t, uint begin, bool whitespace) {
  for (uint i = begin; i < t.bytes; i += 4u) {
    const uint x = vkp_text_word(t, int(i));
    // Bytes above 0x20: with bit 7, or at least 0x21 in the other bits.
    uint found = (x | (x & 0x7f7f7f7fu) + 0x5f5f5f5fu) & 0x80808080u;
    if (whitespace) found ^= 0x80808080u;
    found &= vkp_first_bytes(t.bytes - i);
    if (found != 0u) return i + uint(findLSB(found)) / 8u;
  }
  return t.bytes;
}

// The end of the token at `begin`: where a delimiter is, or the end of the row.
uint end_of_token(VkpText t, uint begin, VkpText delimiter) {
  if (by_whitespace != 0u) return find_whitespace(t, begin, true);
  return min(vkp_find(t, delimiter, begin), t.bytes);
}

bool evaluate(uint row, out Row x) {
  const VkpText t = vkp_row_text(push.a, row);
  x.text = vkp_no_text();
  if (!vkp_valid(push.a, row)) return false;
  VkpText delimiter = vkp_no_text();
  if (by_whitespace == 0u) delimiter = scalar_text();
  const uint wanted = uint(arguments().v.start);
  uint begin = 0u;
  if (by_whitespace != 0u) begin = find_whitespace(t, 0u, false);
  for (uint n = 0u; n < wanted; ++n) {
    const uint end = end_of_token(t, begin, delimiter);
    if (end == t.bytes) return false;  // no delimiter: none is empty
    begin = by_whitespace != 0u ? find_whitespace(t, end, false) : end + delimiter.bytes;
  }
  if (by_whitespace != 0u && begin == t.bytes) return false;
  const bool rest = (arguments().v.flags & VKP_STRINGS_REST) != 0u;
  const uint end = rest ? t.bytes : end_of_token(t, begin, delimiter);
  x.text = vkp_substr(t, begin, end - begin);
  return true;
}

VkpText piece(Row x, uint row, uint k) { return x.text; }

#include "strings/rope.glsl"

void main() { rope(); }

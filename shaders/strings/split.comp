// Token number `start` of each row: what lies between delimiters, or between runs of whitespace.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint by_whitespace = 0;

uint head, head_mask;  // of the delimiter

uint marks_of(uint x, uint next) {
  return by_whitespace != 0u ? marks_of_whitespace(x) : marks_of_head(x, next, head, head_mask);
}

bool wants_marks() {
  head = vkp_head(scalar_text());
  head_mask = vkp_head_mask(scalar_text());
  return true;
}

// The end of the token at `begin`: where a delimiter is, or the end of the row.
uint end_of_token(VkpText t, uint begin, VkpText delimiter) {
  if (by_whitespace != 0u) return next_mark(t, begin, true);
  return min(find_marked(t, delimiter, begin), t.bytes);
}

bool cut(uint row, inout VkpText t) {
  VkpText delimiter = vkp_no_text();
  if (by_whitespace == 0u) delimiter = scalar_text();
  const uint wanted = uint(arguments().v.start);
  uint begin = 0u;
  if (by_whitespace != 0u) begin = next_mark(t, 0u, false);
  for (uint n = 0u; n < wanted; ++n) {
    const uint end = end_of_token(t, begin, delimiter);
    if (end == t.bytes) return false;  // no delimiter: none is empty
    begin = by_whitespace != 0u ? next_mark(t, end, false) : end + delimiter.bytes;
  }
  if (by_whitespace != 0u && begin == t.bytes) return false;
  const bool rest = (arguments().v.flags & VKP_STRINGS_REST) != 0u;
  const uint end = rest ? t.bytes : end_of_token(t, begin, delimiter);
  t = vkp_substr(t, begin, end - begin);
  return true;
}

#include "strings/cut.glsl"

void main() { rope(); }

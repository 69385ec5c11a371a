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

// Token `wanted` between runs of whitespace. (By turns its beginning and its end are looked for, in one place.)
bool find_word(VkpText t, uint wanted, bool rest, out uint begin, out uint end) {
  begin = 0u;
  end = 0u;
  bool ends = false;
  for (uint n = 0u; n <= wanted; n += uint(!ends)) {
    uint at = t.bytes;
    if (!(ends && rest && n == wanted)) at = next_mark(t, ends ? begin : end, ends);
    if (ends) {
      end = at;
    } else {
      begin = at;
      if (at == t.bytes) return false;
    }
    ends = !ends;
  }
  return true;
}

// … between delimiters: there is one more than of these.
bool find_field(VkpText t, uint wanted, bool rest, out uint begin, out uint end) {
  const VkpText delimiter = scalar_text();
  begin = 0u;
  end = 0u;
  for (uint n = 0u; n <= wanted; ++n) {
    if (n != 0u) {
      if (end == t.bytes) return false;  // no delimiter: none is empty
      begin = end + delimiter.bytes;
    }
    end = t.bytes;
    if (!(rest && n == wanted)) end = min(find_marked(t, delimiter, begin), t.bytes);
  }
  return true;
}

bool cut(uint row, inout VkpText t) {
  const uint wanted = uint(arguments().v.start);
  const bool rest = (arguments().v.flags & VKP_STRINGS_REST) != 0u;
  uint begin, end;
  bool there;
  if (by_whitespace != 0u) {
    there = find_word(t, wanted, rest, begin, end);
  } else {
    there = find_field(t, wanted, rest, begin, end);
  }
  if (there) t = vkp_substr(t, begin, end - begin);
  return there;
}

#include "strings/cut.glsl"

void main() { rope(); }

// Rows without characters of a set at either end.
// %VARIANT% STATE word64|word32
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/marks.glsl"
#include "strings/strip_set.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint sides = 0;  // 1: left, 2: right

uint marks_of(uint x, uint next) { return marks_of_whitespace(x); }

// Only the ends of rows are looked at.
bool wants_marks() { return false; }

// The first byte of a character that is in no set; the end if there is none.
uint first_outside(VkpText t) {
  for (uint i = 0u; i < t.bytes; ++i) {
    if ((i == 0u || vkp_is_start(vkp_text_byte(t, i))) && !is_stripped(t, i)) return i;
  }
  return t.bytes;
}

// Behind the last character that begins at byte `begin` or behind and is in no set; `begin` if there is none.
uint end_outside(VkpText t, uint begin) {
  uint end = t.bytes;
  for (uint i = t.bytes; i > begin;) {
    --i;
    if (i != 0u && !vkp_is_start(vkp_text_byte(t, i))) continue;
    if (!is_stripped(t, i)) return end;
    end = i;
  }
  return begin;
}

// No set is whitespace, which is told by single bytes.
bool cut(uint row, inout VkpText t) {
  uint begin = 0u;
  if ((sides & 1u) != 0u) begin = is_whitespace() ? next_mark(t, 0u, false) : first_outside(t);
  uint end = t.bytes;
  if ((sides & 2u) != 0u) {
    end = is_whitespace() ? max(end_of_last_mark(t, t.bytes, false), begin) : end_outside(t, begin);
  }
  t = vkp_substr(t, begin, end - begin);
  return true;
}

#include "strings/cut.glsl"

void main() { rope(); }

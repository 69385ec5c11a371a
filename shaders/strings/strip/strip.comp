// Rows without characters of a set at either end.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/marks.glsl"
#include "strings/strip/set.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint sides = 0;  // 1: left, 2: right

uint marks_of(const uint x, const uint next) { return marks_of_whitespace(x); }

// Only the ends of rows are looked at.
bool wants_marks() { return false; }

// Returns where the characters of the set that a text has from byte `begin` on end; or, backward,
// where those that it ends with begin, at byte `begin` or behind.
uint outside_of_set(const VkpText t, const uint begin, const bool backward) {
  const uint bytes = t.bytes - begin;
  uint end = t.bytes;
  for (uint n = 0u; n < bytes; ++n) {
    const uint i = backward ? t.bytes - 1u - n : begin + n;
    if (i != 0u && !vkp_is_start(vkp_text_byte(t, i))) continue;
    if (!is_stripped(t, i)) return backward ? end : i;
    end = i;
  }
  return backward ? begin : t.bytes;
}

// If there is no set, whitespace is taken off, which is told by single bytes.
bool cut(uint row, inout VkpText t) {
  uint begin = 0u;
  if ((sides & 1u) != 0u) {
    begin = is_whitespace() ? next_mark(t, 0u, false) : outside_of_set(t, 0u, false);
  }
  uint end = t.bytes;
  if ((sides & 2u) != 0u) {
    end = is_whitespace() ? max(end_of_last_mark(t, t.bytes, false), begin)
                          : outside_of_set(t, begin, true);
  }
  t = vkp_substr(t, begin, end - begin);
  return true;
}

#include "strings/cut.glsl"

void main() { vkp_rope(); }

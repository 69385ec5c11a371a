// Rows without characters of a set at either end.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint sides = 0;  // 1: left, 2: right

uint marks_of(uint x, uint next) { return marks_of_whitespace(x); }

// Only the ends of rows are looked at.
bool wants_marks() { return false; }

// Whether the character `c` is in the set.
bool is_in(VkpText set, VkpText c) {
  for (uint i = 0u; i < set.bytes;) {
    uint next = i + 1u;
    while (next < set.bytes && !vkp_is_start(vkp_text_byte(set, next))) ++next;
    if (vkp_equal(vkp_substr(set, i, next - i), c)) return true;
    i = next;
  }
  return false;
}

// The first byte that is in no character of the set; the end if all are.
uint first_outside(VkpText t, VkpText set) {
  uint begin = 0u;
  for (bool goes_on = true; goes_on && begin < t.bytes;) {
    uint next = begin + 1u;
    while (next < t.bytes && !vkp_is_start(vkp_text_byte(t, next))) ++next;
    goes_on = is_in(set, vkp_substr(t, begin, next - begin));
    if (goes_on) begin = next;
  }
  return begin;
}

// Behind the last byte from `begin` on that is in no character of the set; `begin` if all are.
uint end_outside(VkpText t, uint begin, VkpText set) {
  uint end = t.bytes;
  for (bool goes_on = true; goes_on && begin < end;) {
    uint last = end - 1u;
    while (last > begin && !vkp_is_start(vkp_text_byte(t, last))) --last;
    goes_on = is_in(set, vkp_substr(t, last, end - last));
    if (goes_on) end = last;
  }
  return end;
}

// An empty set is whitespace, which is told by single bytes.
bool cut(uint row, inout VkpText t) {
  const VkpText set = scalar_text();
  const bool whitespace = set.bytes == 0u;
  uint begin = 0u;
  if ((sides & 1u) != 0u) begin = whitespace ? next_mark(t, 0u, false) : first_outside(t, set);
  uint end = t.bytes;
  if ((sides & 2u) != 0u) {
    end = whitespace ? max(end_of_last_mark(t, t.bytes, false), begin) : end_outside(t, begin, set);
  }
  t = vkp_substr(t, begin, end - begin);
  return true;
}

#include "strings/cut.glsl"

void main() { rope(); }

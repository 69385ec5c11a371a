// Rows without characters of a set at either end.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint sides = 0;  // 1: left, 2: right

#define MOST_PIECES 1u

struct Row {
  VkpText text;
};

// Whether the text may be cut before byte `i`: between characters, or anywhere where whitespace goes, which is told by
// single bytes.
bool may_cut(VkpText t, uint i, VkpText set) { return set.bytes == 0u || vkp_is_start(vkp_text_byte(t, i)); }

// Whether the character `c` is in the set; of an empty one, the byte whitespace.
bool is_in(VkpText set, VkpText c) {
  if (set.bytes == 0u) return vkp_text_byte(c, 0u) <= 0x20u;
  for (uint i = 0u; i < set.bytes;) {
    uint next = i + 1u;
    while (next < set.bytes && !vkp_is_start(vkp_text_byte(set, next))) ++next;
    if (vkp_equal(vkp_substr(set, i, next - i), c)) return true;
    i = next;
  }
  return false;
}

bool evaluate(uint row, out Row x) {
  VkpText t = vkp_row_text(push.a, row);
  x.text = t;
  if (!vkp_valid(push.a, row)) return false;
  const VkpText set = scalar_text();
  uint begin = 0u;
  uint end = t.bytes;
  if ((sides & 1u) != 0u) {
    for (bool goes_on = true; goes_on && begin < end;) {
      uint next = begin + 1u;
      while (next < end && !may_cut(t, next, set)) ++next;
      goes_on = is_in(set, vkp_substr(t, begin, next - begin));
      if (goes_on) begin = next;
    }
  }
  if ((sides & 2u) != 0u) {
    for (bool goes_on = true; goes_on && begin < end;) {
      uint last = end - 1u;
      while (last > begin && !may_cut(t, last, set)) --last;
      goes_on = is_in(set, vkp_substr(t, last, end - last));
      if (goes_on) end = last;
    }
  }
  x.text = vkp_substr(t, begin, end - begin);
  return true;
}

VkpText piece(Row x, uint row, uint k) { return x.text; }

#include "strings/rope.glsl"

void main() { rope(); }

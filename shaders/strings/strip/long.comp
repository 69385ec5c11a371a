// Long rows without characters of a set at either end, ahead of strip.comp: see long_cuts.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_sums.glsl"
#include "strings/long_cuts.glsl"
#include "strings/strip/marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint sides = 0;  // 1: left, 2: right

// The first byte or character that stays is looked for, then the last one; the beginning of the
// character behind says where a character ends.
bool cut_long(uint row, LongRow x, inout VkpText t) {
  const uint count = sum_of_units(x, x.units).x;
  uint begin = 0u;
  uint end = t.bytes;
  [[dont_unroll]] for (uint step = 0u; step < 3u; ++step) {
    if (step == 0u ? (sides & 1u) == 0u : (sides & 2u) == 0u || count == 0u) continue;
    if (step == 2u && is_whitespace()) continue;
    uint n = step == 0u ? 0u : count - 1u;
    if (step == 2u) n = sum_before(t, x, end).y;
    const uint place = nth_of_row(t, x, n, step / 2u);
    if (step == 0u) {
      begin = place;
    } else {
      end = place + (step == 1u ? 1u : 0u);
    }
  }
  if ((sides & 2u) != 0u && count == 0u) end = begin;
  t = vkp_substr(t, begin, end - begin);
  return true;
}

void main() { leave_cuts(); }

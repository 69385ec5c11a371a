// Long rows without characters of a set at either end, ahead of strip.comp: see long_cuts.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_cuts.glsl"
#include "strings/strip_marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint sides = 0;  // 1: left, 2: right

// All that stay are counted; then the first one is looked for, the last one, and where that ends.
bool cut_long(uint row, inout VkpText t) {
  uint count = 0u;
  uint begin = 0u;
  uint end = t.bytes;
  for (uint step = (sides & 2u) != 0u ? 0u : 1u; step < 4u; ++step) {
    if (step == 1u && (sides & 1u) == 0u) continue;
    if (step >= 2u && ((sides & 2u) == 0u || count == 0u)) break;
    if (step == 3u && is_whitespace()) break;
    uint passed;
    const uint n = step == 0u ? VKP_NPOS : step == 2u ? count - 1u : 0u;
    const uint place = nth_of_row(t, step == 3u ? end : 0u, n, uint(step == 3u), passed);
    if (step == 0u) count = passed;
    if (step == 1u) begin = place;
    if (step == 2u) end = place + 1u;
    if (step == 3u) end = place;
  }
  if ((sides & 2u) != 0u && count == 0u) end = begin;
  t = vkp_substr(t, begin, end - begin);
  return true;
}

void main() { leave_cuts(); }

// Slices of the characters of long rows, ahead of slice.comp: see long_cuts.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_cuts.glsl"
#include "strings/character_marks.glsl"
#include "strings/slice_positions.glsl"

// First, if need be, all characters are counted.
bool cut_long(uint row, inout VkpText t) {
  int start;
  int stop;
  positions_of(row, start, stop);
  uint length = 0u;
  uint begin = 0u;
  uint end = t.bytes;
  for (uint step = start < 0 || stop < 0 ? 0u : 1u; step < 3u; ++step) {
    const uint first = number_at(start, length);
    const uint behind = stop == NO_STOP ? VKP_NPOS : max(number_at(stop, length), first);
    uint passed;
    const uint place = nth_of_row(t, 0u, step == 0u ? VKP_NPOS : step == 1u ? first : behind, 0u, passed);
    if (step == 0u) length = passed;
    if (step == 1u) begin = place;
    if (step == 2u) end = place;
    if (step == 1u && stop == NO_STOP) break;
  }
  t = vkp_substr(t, begin, end - begin);
  return true;
}

void main() { leave_cuts(); }

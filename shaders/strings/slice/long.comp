// Slices of the characters of long rows, ahead of slice.comp and slice/head.comp: see
// long_cuts.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_sums.glsl"
#include "strings/character_marks.glsl"
#include "strings/long_cuts.glsl"
#include "strings/slice/positions.glsl"

bool cut_long(uint row, LongRow x, inout VkpText t) {
  int start;
  int stop;
  positions_of(row, start, stop);
  const uint length = sum_of_units(x, x.units).x;
  const uint first = number_at(start, length);
  const uint behind = stop == NO_STOP ? VKP_NPOS : max(number_at(stop, length), first);
  uint place[2];
  [[dont_unroll]] for (uint i = 0u; i < 2u; ++i) {
    place[i] = nth_of_row(t, x, i == 0u ? first : behind, 0u);
  }
  t = vkp_substr(t, place[0], place[1] - place[0]);
  return true;
}

void main() { leave_cuts(); }

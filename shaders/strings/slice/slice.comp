// Slices of characters, as in Python: from start to stop, each of which may count from the end. A
// slice is a piece of the row. Those of the first characters are made by slice/head.comp. If
// positions are columns, a start below 0 is the beginning, and a stop below 0 is the end.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/marks.glsl"
#include "strings/slice/positions.glsl"

uint marks_of(const uint x, const uint next) { return marks_of_characters(x); }

// For a slice near the beginning the rest of the row is not read.
const int NEAR = 64;

bool wants_marks() {
  const int start = vkp_arguments().v.start;
  const int stop = vkp_arguments().v.stop;
  return per_row != 0u || start < 0 || stop < 0 || start > NEAR || stop > NEAR && stop != NO_STOP;
}

// Returns the byte where character number `n` behind byte `begin` begins.
uint forward(VkpText t, uint begin, uint n) { return n == 0u ? begin : nth_mark(t, begin, n); }

bool cut(uint row, inout VkpText t) {
  int start;
  int stop;
  positions_of(row, start, stop);
  uint length = 0u;
  if (start < 0 || stop < 0) length = characters_before(t, t.bytes);
  const uint first = number_at(start, length);
  const uint begin = forward(t, 0u, first);
  uint end = t.bytes;
  if (stop != NO_STOP) {
    const uint behind = number_at(stop, length);
    end = behind <= first ? begin : forward(t, begin, behind - first);
  }
  t = vkp_substr(t, begin, end - begin);
  return true;
}

#include "strings/cut.glsl"

void main() { vkp_rope(); }

// Slices of characters, as Python's: from start to stop, each of which may count from the end. A slice is a piece of the
// row.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/marks.glsl"

uint marks_of(uint x, uint next) { return marks_of_characters(x); }

// Of a slice near the beginning the rest of the row is not read.
const int NEAR = 64;

bool wants_marks() {
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
  return start < 0 || stop < 0 || start > NEAR || stop > NEAR && stop != 0x7fffffff;
}

// The byte where character number `n` behind byte `begin` begins.
uint forward(VkpText t, uint begin, uint n) { return n == 0u ? begin : nth_mark(t, begin, n); }

// A position that may count from the end, in characters of which there are `length`, as a byte.
uint position_of(VkpText t, int number, uint length) {
  if (number >= 0) return forward(t, 0u, uint(number));
  const uint from_end = uint(-number);
  return from_end >= length ? 0u : forward(t, 0u, length - from_end);
}

bool cut(inout VkpText t) {
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
  uint length = 0u;
  if (start < 0 || stop < 0) length = characters_before(t, t.bytes);
  const uint begin = position_of(t, start, length);
  uint end = t.bytes;
  if (start >= 0 && stop >= start) {
    if (stop != 0x7fffffff) end = forward(t, begin, uint(stop - start));
  } else if (stop != 0x7fffffff) {
    end = position_of(t, stop, length);
  }
  t = vkp_substr(t, begin, end - min(begin, end));
  return true;
}

#include "strings/cut.glsl"

void main() { rope(); }

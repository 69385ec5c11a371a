// Slices of characters, as Python's: from start to stop, each of which may count from the end. A slice is a piece of the
// row.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

#define MOST_PIECES 1u

struct Row {
  VkpText text;
};

// A position that may count from the end, in characters of which there are `length`, as a byte.
uint position_of(VkpText t, int number, uint length) {
  if (number >= 0) return vkp_position_cp(t, uint(number));
  const uint from_end = uint(-number);
  return from_end >= length ? 0u : vkp_position_cp(t, length - from_end);
}

bool evaluate(uint row, out Row x) {
  x.text = vkp_row_text(push.a, row);
  if (!vkp_valid(push.a, row)) return false;
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
  uint length = 0u;
  if (start < 0 || stop < 0) length = vkp_length_cp(x.text);
  const uint begin = position_of(x.text, start, length);
  uint end = x.text.bytes;
  if (start >= 0 && stop >= start) {
    const VkpText rest = vkp_substr(x.text, begin, VKP_NPOS);
    if (stop != 0x7fffffff) end = begin + vkp_position_cp(rest, uint(stop - start));
  } else if (stop != 0x7fffffff) {
    end = position_of(x.text, stop, length);
  }
  x.text = vkp_substr(x.text, begin, end - min(begin, end));
  return true;
}

VkpText piece(Row x, uint row, uint k) { return x.text; }

#include "strings/rope.glsl"

void main() { rope(); }

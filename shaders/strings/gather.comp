// Rows of a column by their numbers; null where there is no such row, and behind the last number.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

#define MOST_PIECES 1u

struct Row {
  VkpText text;
};

bool evaluate(uint row, out Row x) {
  x.text = vkp_no_text();
  if (row >= vkp_read_count(arguments().v.count).x) return false;
  const uint i = VkpWords(vkp_add64(vkp_u64(arguments().v.indices), vkp_mul64(row, 4u))).v[0];
  if (i >= uint(arguments().v.stop)) return false;
  x.text = vkp_row_text(push.a, i);
  return vkp_valid(push.a, i);
}

VkpText piece(Row x, uint row, uint k) { return x.text; }

#include "strings/pieces.glsl"

void main() { rope(); }

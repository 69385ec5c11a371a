// A token of each row.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/marks.glsl"
#include "strings/split/token.glsl"

uint head, head_mask;  // first bytes of the delimiter, and their mask

uint marks_of(const uint x, const uint next) {
  return by_whitespace != 0u ? marks_of_whitespace(x) : marks_of_head(x, next, head, head_mask);
}

bool is_delimiter(VkpText t, uint place, VkpText what) {
  return what.bytes <= 4u || vkp_is_at(t, place, what);
}

bool wants_marks() {
  head = vkp_head(vkp_scalar_text());
  head_mask = vkp_head_mask(vkp_scalar_text());
  return true;
}

#include "strings/cut.glsl"

void main() { vkp_rope(); }

// Tokens of long rows, ahead of split.comp: see long_cuts.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_cuts.glsl"
#include "strings/token_marks.glsl"

uint wanted_token() { return uint(arguments().v.start); }
bool wants_rest() { return (arguments().v.flags & VKP_STRINGS_REST) != 0u; }

// Whether a delimiter may begin within another one.
bool overlaps_itself(VkpText what) {
  for (uint i = 1u; i < what.bytes; ++i) {
    if (vkp_is_at(vkp_substr(what, i, what.bytes - i), 0u, vkp_substr(what, 0u, what.bytes - i))) return true;
  }
  return false;
}

// Of words the beginning is looked for, then the end. Of others the delimiter before them, and that behind; one that overlaps
// itself is looked for from the beginning, one after the other, as which of them count is known by those before only.
bool cut_long(uint row, inout VkpText t) {
  const bool words = by_whitespace != 0u;
  const bool one_by_one = !words && overlaps_itself(scalar_text());
  uint left = wanted_token() + uint(words);  // of what comes before the token, or begins it
  uint begin = 0u;
  while (true) {
    const bool ends = left == 0u;
    if (ends && wants_rest()) break;
    uint passed;
    const uint n = ends || one_by_one ? 0u : left - 1u;
    const uint place = nth_of_row(t, begin, n, uint(words && ends), passed);
    if (ends) {
      t = vkp_substr(t, begin, place - begin);
      return true;
    }
    if (place == t.bytes) return false;
    begin = words ? place : place + scalar_text().bytes;
    left -= n + 1u;
  }
  t = vkp_substr(t, begin, t.bytes - begin);
  return true;
}

void main() { leave_cuts(); }

// Marks of what stays when a text is stripped, for team_marks.glsl: bytes that are no whitespace; or where characters begin that are
// in no set, and where any do.
#ifndef STRINGS_STRIP_MARKS_GLSL
#define STRINGS_STRIP_MARKS_GLSL

#include "strings/strip_set.glsl"
#include "strings/team_marks.glsl"

uvec2 marks_of_part(VkpText t, uint begin, uint end) {
  uint word[8];
  load_part(t, begin, word);
  if (is_whitespace()) return uvec2(~whitespace_of_part(word) & bits_before(begin, end), 0u);
  uint starts = starts_of_part(word);
  if (begin == 0u) starts |= 1u;
  starts &= bits_before(begin, end);
  uint marks = starts;
  for (uint rest = starts; rest != 0u; rest &= rest - 1u) {
    if (is_stripped(t, begin + uint(findLSB(rest)))) marks &= ~(rest & 0u - rest);
  }
  return uvec2(marks, starts);
}

#endif

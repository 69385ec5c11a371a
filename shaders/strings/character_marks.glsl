// Marks of characters, for team_marks.glsl.
#ifndef STRINGS_CHARACTER_MARKS_GLSL
#define STRINGS_CHARACTER_MARKS_GLSL

#include "strings/team_marks.glsl"

uint bytes_behind() { return 0u; }

// Bytes that begin characters, the first of a row in any case.
uvec2 marks_of_part(VkpText t, uint begin, uint end) {
  uint word[8];
  load_part(t, begin, word);
  uint marks = starts_of_part(word);
  if (begin == 0u) marks |= 1u;
  return uvec2(marks & bits_before(begin, end), 0u);
}

#endif

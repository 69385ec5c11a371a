// Marks of what stays when a text is stripped, for long_sums.glsl: bytes that are not whitespace;
// or where characters begin that are not in the set, and where any characters begin.
#ifndef STRINGS_STRIP_MARKS_GLSL
#define STRINGS_STRIP_MARKS_GLSL

#include "strings/strip/set.glsl"
#include "strings/text_bytes.glsl"

uvec2 marks_of_part(const VkpText t, const uint begin, const uint end) {
  if (is_whitespace()) {
    uint word[8];
    load_part(t, begin, word);
    return uvec2(~whitespace_of_part(word) & bits_before(begin, end), 0u);
  }
  const uint starts = character_starts(t, begin, end);
  uint marks = starts;
  for (uint rest = starts; rest != 0u; rest &= rest - 1u) {
    if (is_stripped(t, begin + uint(findLSB(rest)))) marks &= ~(rest & 0u - rest);
  }
  return uvec2(marks, starts);
}

#endif

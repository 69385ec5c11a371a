// Marks of characters, for long_sums.glsl.
#ifndef STRINGS_CHARACTER_MARKS_GLSL
#define STRINGS_CHARACTER_MARKS_GLSL

#include "strings/text_bytes.glsl"

uvec2 marks_of_part(const VkpText t, const uint begin, const uint end) {
  return uvec2(character_starts(t, begin, end), 0u);
}

#endif

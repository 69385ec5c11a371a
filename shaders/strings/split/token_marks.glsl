// Marks of tokens, for long_sums.glsl: where words begin, and whitespace; or delimiters.
#ifndef STRINGS_TOKEN_MARKS_GLSL
#define STRINGS_TOKEN_MARKS_GLSL

#include "vkprims/strings/strings.glsl"
#include "strings/text_marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint by_whitespace = 0;

uvec2 marks_of_part(const VkpText t, const uint begin, const uint end) {
  return by_whitespace != 0u ? word_marks(t, begin, end)
                             : uvec2(text_marks(t, vkp_scalar_text(), begin, end), 0u);
}

#endif

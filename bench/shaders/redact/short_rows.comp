// The kernel of examples/redact for short names, built as those of the library are.
// %VARIANT% STATE word32|word64
// %INLINE% vkp_shuffle
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_MOST_PIECES 3u
#define VKP_FIRST_WORDS 4
#define VKP_FIRST_WORDS_B 2
#include "vkprims/strings/strings.glsl"
#include "../../../examples/redact/texts.glsl"

#include "vkprims/strings/short_rows.glsl"
#include "../../../examples/redact/short_rows.glsl"

void main() { vkp_rope(); }

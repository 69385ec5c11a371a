// The kernel of examples/redact, built as those of the library are.
// %VARIANT% STATE word32|word64
// %INLINE% vkp_shuffle
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_MOST_PIECES 3u
#include "vkprims/strings/strings.glsl"
#include "../../../examples/redact/texts.glsl"

#include "vkprims/strings/pieces.glsl"

void main() { vkp_rope(); }

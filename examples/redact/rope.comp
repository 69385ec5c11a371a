// Makes rows from names of any length.
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"
#include "texts.glsl"

#include "vkprims/strings/pieces.glsl"

void main() { vkp_rope(); }

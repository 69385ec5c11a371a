// Rows of names of any length.
// %VARIANT% STATE word64|word32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"
#include "texts.glsl"

#include "strings/pieces.glsl"

void main() { rope(); }

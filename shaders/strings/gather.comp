// Rows of a column by their numbers, of any length.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#define SUMS_BY_HALVES
#include "strings/strings.glsl"

#include "strings/gathered.glsl"
#include "strings/pieces.glsl"

void main() {
  load_count();
  rope();
}

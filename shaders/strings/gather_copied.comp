// Rows of a column by their numbers, most of which have a few dozen bytes at most.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

#include "strings/gathered.glsl"
#include "strings/copied_rows.glsl"

void main() {
  load_count();
  rope();
}

// Rows of one column or of another, as a mask says, of any length.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
// %INLINE% vkp_shuffle|vkp_scan_workgroup
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"

#include "strings/copy_if_else/choice.glsl"
#include "vkprims/strings/pieces.glsl"

void main() {
  load_scalars();
  vkp_rope();
}

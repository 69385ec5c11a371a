// Shows the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tiles.glsl"

layout(location = 0) out vec4 colour;

void main() {
  const uvec2 at = uvec2(gl_FragCoord.xy);
  colour = unpackUnorm4x8(picture.v[at.y * size.x + at.x]);
}

// Places a square for each tile that has something to draw: two triangles of an instance.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tiles.glsl"

void main() {
  const uint tile = drawn.v[gl_InstanceIndex];
  const uint corner = uint[](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex];
  const uvec2 place = uvec2(tile % tiles_across, tile / tiles_across);
  const uvec2 at = min((place + uvec2(corner & 1u, corner >> 1u)) * tile_size, size);
  gl_Position = vec4(vec2(at) / vec2(size) * 2.0 - 1.0, 0.0, 1.0);
}

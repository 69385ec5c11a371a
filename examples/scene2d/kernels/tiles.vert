// Places a square for each tile that has something to draw: two triangles of an instance.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Tiles { uint v[]; };
layout(push_constant) uniform Push {
  Tiles drawn;
  uint tiles_across, tile_size;
  vec2 picture;  // its size in pixels
};

layout(location = 0) out vec2 at;  // in pixels

void main() {
  const uint tile = drawn.v[gl_InstanceIndex];
  const uint corner = uint[](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex];
  const uvec2 place = uvec2(tile % tiles_across, tile / tiles_across);
  at = min(vec2((place + uvec2(corner & 1u, corner >> 1u)) * tile_size), picture);
  gl_Position = vec4(at / picture * 2.0 - 1.0, 0.0, 1.0);
}

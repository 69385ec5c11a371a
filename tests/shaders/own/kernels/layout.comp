// Push constants of all kinds, which the kernel copies to `out_words`, and its shape.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
struct Pair {
  vec2 a;  // begins at a multiple of 8
  int b;
};

#define VEC uvec3 // a macro
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint first = 11;
layout(constant_id = 12) const uint own = 77;
layout(push_constant) uniform Push {
  uint count;
  uvec2 out_words;
  vec3 direction;
  float scale;
  Words in_words;
  Pair pairs[2];
  int offsets[3];
  uint a, b;
  VEC last;
} push;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  Words words = Words(push.out_words);
  if (i < push.count) words.v[i] = push.in_words.v[i] + 1u;
  if (i != 0u) return;
  uint at = push.count;
  words.v[at++] = gl_WorkGroupSize.x;
  words.v[at++] = gl_NumWorkGroups.x;
  words.v[at++] = first;
  words.v[at++] = own;
  words.v[at++] = floatBitsToUint(push.direction.z);
  words.v[at++] = floatBitsToUint(push.scale);
  words.v[at++] = floatBitsToUint(push.pairs[1].a.y);
  words.v[at++] = uint(push.pairs[1].b);
  words.v[at++] = uint(push.offsets[2]);
  words.v[at++] = push.a;
  words.v[at++] = push.b;
  words.v[at++] = push.last.y;
}

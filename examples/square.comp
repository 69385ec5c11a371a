// A kernel of the application's own, which does not use the library's GLSL: x[i] = x[i] * x[i].
#version 460
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform Push {
  Words x;
  uint count;
};

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < count) x.v[i] *= x.v[i];
}

#version 460
#extension GL_EXT_buffer_reference : require

layout(local_size_x_id = 0) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform Push {
  Words words;
  uint count;
};

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < count) words.v[i] *= words.v[i];
}

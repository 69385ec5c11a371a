// A grid of three axes, whose workgroups have a shape of their own.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

layout(local_size_x = 4, local_size_y = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform Push { uvec2 words; };

void main() {
  const uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize;
  const uvec3 at = gl_GlobalInvocationID;
  Words(words).v[(at.z * all.y + at.y) * all.x + at.x] += 1u;
}

// What all kernels share: push constants, findings, and words of long sequences.
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "abi.h"
#include "vkprims/core.glsl"

layout(push_constant) uniform PushBlock { Push push; };

layout(buffer_reference, std430, buffer_reference_align = 8) buffer FindingsBlock { Findings v; };

// Word i, which may lie past 4 GiB.
uint load(const uvec2 base, const uint i) {
  return VkpWords(vkp_add64(base, vkp_mul64(i, 4u))).v[0];
}
void store(uvec2 base, uint i, uint x) { VkpWords(vkp_add64(base, vkp_mul64(i, 4u))).v[0] = x; }

// The number of this invocation. It fits into 32 bits, except in surplus workgroups of a grid of
// nearly 2^32 invocations.
uint invocation() { return vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

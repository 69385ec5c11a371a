// Turns numbers into brackets {closing, opening}: {0, 1} or {1, 0}.
// %VARIANT% T u32|i32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/types.glsl"
#include "vkprims/memory/elements.glsl"
#include "brackets.abi.h"

layout(push_constant) uniform Push {
  uvec2 numbers;
  uvec2 brackets;
  uint count;
} push;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= push.count) return;
  const uint number = uint(vkp_load_element(push.numbers, i));
  VkpWords2(push.brackets).v[i] = BRACKETS_IS_OPEN(number) ? uvec2(0u, 1u) : uvec2(1u, 0u);
}

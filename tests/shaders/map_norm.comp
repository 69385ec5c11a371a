// A user-defined function of built-in types, through the contract of vkprims/device/map.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_T_u32
#include "elementwise/transform/transform.abi.h"
#include "vkprims/types.glsl"

uint vkp_map(uint a, uint b) { return a * a + b * b; }
#include "vkprims/device/map.glsl"

layout(push_constant) uniform Push { TransformPush push; };

void main() {
  vkp_map_tile(VkpMap(vkp_u64(push.a_base), vkp_u64(push.b_base), vkp_u64(push.out_base),
                      vkp_read_count(push.count), 9u));
}

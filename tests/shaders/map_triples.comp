// A user-defined function, through the contract of vkprims/device/map.glsl. Its operands have 3
// words, its results 2.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/transform/transform.abi.h"
#include "vkprims/core.glsl"

struct Triple {
  uint a, b, c;
};
#define VKP_T Triple
#define VKP_WORDS 3
void vkp_pack(Triple x, out uint w[3]) { w = uint[](x.a, x.b, x.c); }
Triple vkp_unpack(uint w[3]) { return Triple(w[0], w[1], w[2]); }

#define VKP_OUT_T uvec2
#define VKP_OUT_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }

uvec2 vkp_map(Triple x, Triple y) { return uvec2(x.a * y.a + x.b * y.b + x.c * y.c, x.a ^ y.c); }
#include "vkprims/device/map.glsl"

layout(push_constant) uniform Push { TransformPush push; };

void main() {
  vkp_map_tile(VkpMap(vkp_u64(push.a_base), vkp_u64(push.b_base), vkp_u64(push.out_base),
                      vkp_read_count(push.count), Triple(3u, 5u, 7u)));
}

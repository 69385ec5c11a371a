// One invocation turns a count into a VkDispatchIndirectCommand {x, y, 1}, x at most 65,535.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"
#include "dispatch_args.abi.h"

layout(push_constant) uniform Push { DispatchArgsPush push; };

// ceil(n / d) by long division, bit by bit; both below 2^63. Results past 2^32 - 1 do not occur: the
// host has checked max / d.
uint ceil_div64(uvec2 n, uvec2 d) {
  uvec2 remainder = uvec2(0u);
  uint quotient = 0u;
  for (int bit = 63; bit >= 0; --bit) {
    const uint word = bit < 32 ? n.x : n.y;
    remainder = vkp_shl64(remainder, 1u);
    remainder.x |= (word >> (uint(bit) & 31u)) & 1u;
    quotient <<= 1;
    if (!vkp_less64(remainder, d)) {
      remainder = vkp_sub64(remainder, d);
      quotient |= 1u;
    }
  }
  return remainder == uvec2(0u) ? quotient : quotient + 1u;
}

void main() {
  if (gl_GlobalInvocationID.x != 0u) return;
  const uvec2 count = vkp_read_count(push.count);
  const uvec2 first = vkp_u64(push.first);
  const uvec2 n = vkp_less64(count, first) ? uvec2(0u) : vkp_sub64(count, first);
  const uint groups = max(ceil_div64(n, vkp_u64(push.items)), push.least);
  // As few surplus groups as a rectangle allows: less than one a row.
  const uint y = groups == 0u ? 1u : (groups - 1u) / 65535u + 1u;
  const uint x = groups == 0u ? 0u : (groups - 1u) / y + 1u;
  VkpWords args = VkpWords(vkp_u64(push.args));
  args.v[0] = x;
  args.v[1] = y;
  args.v[2] = 1u;
}

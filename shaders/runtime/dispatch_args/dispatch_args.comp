// Each invocation turns a count into a VkDispatchIndirectCommand {x, y, 1}, where x is at most
// 65,535.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/memory/count_array.glsl"
#include "runtime/dispatch_args/dispatch_args.abi.h"

layout(push_constant) uniform Push { DispatchArgsPush push; };

// Returns the upper half of a * b.
uvec2 mul_high64(uvec2 a, uvec2 b) {
  const uvec2 middle = vkp_add64(vkp_mul64(a.x, b.y), vkp_mul64(a.x, b.x).y);
  const uvec2 other = vkp_add64(vkp_mul64(a.y, b.x), middle.x);
  return vkp_add64(vkp_add64(vkp_mul64(a.y, b.y), middle.y), other.y);
}

// Returns ceil(n / d), with inverse = floor((2^64 - 1) / d); n and d are below 2^63. Results past
// 2^32 - 1 do not occur, as the host has checked max / d. The product with the inverse is at most 2
// too low.
uint ceil_div64(uvec2 n, uvec2 d, uvec2 inverse) {
  uint quotient = mul_high64(n, inverse).x;
  uvec2 remainder = vkp_sub64(n, vkp_mul64(d, quotient));
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    const bool more = !vkp_less64(remainder, d);
    remainder = vkp_sub64(remainder, more ? d : uvec2(0u));
    quotient += uint(more);
  }
  return quotient + uint(remainder != uvec2(0u));
}

void main() {
  const uint command = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (command >= push.commands) return;
  const uvec2 count = vkp_read_count_of(push.count, command);
  const uvec2 first = vkp_u64(push.first);
  const uvec2 n = vkp_less64(count, first) ? uvec2(0u) : vkp_sub64(count, first);
  const uint groups = max(ceil_div64(n, vkp_u64(push.items), vkp_u64(push.inverse)), push.least);
  // The rectangle has as few surplus groups as possible: less than one for each row.
  const uint y = groups == 0u ? 1u : (groups - 1u) / 65535u + 1u;
  const uint x = groups == 0u ? 0u : (groups - 1u) / y + 1u;
  VkpWords args = VkpWords(vkp_add64(vkp_u64(push.args), vkp_mul64(command, 12u)));
  args.v[0] = x;
  args.v[1] = y;
  args.v[2] = 1u;
}

// Counts the brackets left over when neighbours "()" cancel. This is a reduction with an operator
// of the application's own, which does not commute.
#version 460
#extension GL_GOOGLE_include_directive : require

struct Unmatched {
  uint closing;
  uint opening;
};

#define VKP_T Unmatched
#define VKP_WORDS 2
void vkp_pack(Unmatched x, out uint w[2]) {
  w[0] = x.closing;
  w[1] = x.opening;
}
Unmatched vkp_unpack(uint w[2]) { return Unmatched(w[0], w[1]); }
Unmatched vkp_identity() { return Unmatched(0u, 0u); }
Unmatched vkp_combine(Unmatched left, Unmatched right) {
  const uint pairs = min(left.opening, right.closing);
  return Unmatched(left.closing + right.closing - pairs, left.opening + right.opening - pairs);
}

#include "vkprims/device/reduce.glsl"

layout(push_constant) uniform Push {
  uvec2 brackets;
  uvec2 scratch;
  uvec2 result;
  uint count;
  uint groups;
} push;

void main() {
  VkpReduce work;
  work.in_base = push.brackets;
  work.count = uvec2(push.count, 0u);
  work.max_groups = push.groups;
  work.scratch = push.scratch;
  Unmatched total;
  if (vkp_reduce(work, total)) vkp_store_element(push.result, 0u, total);
}

// A sum of 64 bits over a column: the bytes of rows that are gathered, the bytes of views, or how
// many rows are null.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/totals/totals.abi.h"
#include "strings/views.glsl"

layout(constant_id = VKP_TOTALS_SPEC_OP) const uint operation = 0;

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(const uvec2 left, const uvec2 right) { return vkp_add64(left, right); }

#define VKP_IN_WORDS 1
#include "vkprims/device/reduce.glsl"

layout(push_constant) uniform Push { TotalsPush push; };

uint gathered_bytes(uint i) {
  const uint row = VkpWords(vkp_add64(vkp_u64(push.numbers), vkp_mul64(i, 4u))).v[0];
  if (row >= push.rows || !vkp_valid(push.a, row)) return 0u;
  return vkp_row_text(push.a, row).bytes;
}

uint bytes_of_view(uint i) {
  VkpText text;
  view_at(push.a, vkp_u64(push.numbers), i, push.null_length, text);
  return text.bytes;
}

// Returns how many bits of a word are 0, of the rows that exist.
uint nulls_of_word(uint i) {
  uint zeros = ~VkpWords(vkp_add64(vkp_u64(push.a.validity), vkp_mul64(i, 4u))).v[0];
  if (i == 0u) zeros &= ~0u << push.a.first_bit;
  const uint end = push.a.first_bit + push.rows;
  if (i == end / 32u) zeros &= ~(~0u << (end & 31u));
  return bitCount(zeros);
}

uint value_of(const uint i) {
  if (operation == VKP_TOTALS_GATHERED_BYTES) return gathered_bytes(i);
  return operation == VKP_TOTALS_BYTES_OF_VIEWS ? bytes_of_view(i) : nulls_of_word(i);
}

uvec2 vkp_fold_rows(VkpRows r) {
  uvec2 sum = uvec2(0u);
  const uint lane = gl_SubgroupInvocationID;
  for (uint row = 0u; row < r.whole; ++row) {
    sum = vkp_add64(sum, value_of(r.first.x + (row << r.step_shift) + lane));
  }
  if (lane < r.tail) sum = vkp_add64(sum, value_of(r.first.x + (r.whole << r.step_shift) + lane));
  return vkp_subgroup_fold(sum);
}

void main() {
  VkpReduce work;
  work.in_base = uvec2(0u);  // items are numbers
  work.count = uvec2(push.items, 0u);
  work.max_groups = push.max_groups;
  work.scratch = vkp_u64(push.scratch);
  uvec2 total;
  if (vkp_reduce(work, total)) VkpWords2(vkp_u64(push.total)).v[0] = total;
}

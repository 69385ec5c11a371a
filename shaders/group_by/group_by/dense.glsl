// Slots: the aggregates of the rows with each key, for keys that lie in a window of neighbouring
// numbers.
#ifndef GROUP_BY_DENSE_GLSL
#define GROUP_BY_DENSE_GLSL

#include "group_by/group_by/group_by.abi.h"
#include "vkprims/core.glsl"
#include "group_by/group_by/pairs.glsl"

layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_KIND) const uint kind = 0;
layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_SLOTS) const uint slots = 256;
const bool is_float = kind == VKP_GROUP_BY_FLOAT;

struct Slot {
  uint rows;
  uvec2 sum;  // for f32 a pair
  uint low, high;
};

// The key of the greatest value, for floats that of +infinity; ~GREATEST is the key of the least
// value.
const uint GREATEST = is_float ? 0xff800000u : 0xffffffffu;

Slot no_slot() { return Slot(0u, uvec2(0u), GREATEST, ~GREATEST); }

uvec2 add_sums(uvec2 a, uvec2 b) {
  if (!is_float) return vkp_add64(a, b);
  return floatBitsToUint(pair_add(uintBitsToFloat(a), uintBitsToFloat(b)));
}

Slot join_slots(Slot a, Slot b) {
  return Slot(a.rows + b.rows, add_sums(a.sum, b.sum), min(a.low, b.low), max(a.high, b.high));
}

// Loads a slot of a table that has `stride` slots for each word.
Slot load_slot(uvec2 base, uint stride, uint i) {
  uint w[VKP_GROUP_BY_DENSE_WORDS];
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_DENSE_WORDS; ++k) {
    w[k] = VkpWords(base).v[k * stride + i];
  }
  return Slot(w[0], uvec2(w[1], w[2]), w[3], w[4]);
}
void store_slot(uvec2 base, uint stride, uint i, Slot x) {
  const uint w[VKP_GROUP_BY_DENSE_WORDS] = uint[](x.rows, x.sum.x, x.sum.y, x.low, x.high);
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_DENSE_WORDS; ++k) {
    VkpWords(base).v[k * stride + i] = w[k];
  }
}

uint header_word(uvec2 header, uint offset) { return VkpWords(vkp_add64(header, offset)).v[0]; }
void set_header(uvec2 header, uint offset, uint x) { VkpWords(vkp_add64(header, offset)).v[0] = x; }
void set_header(uvec2 header, uint offset, uvec2 x) {
  VkpWords2(vkp_add64(header, offset)).v[0] = x;
}

#endif

// What the kernels of the radix sort share: push constants, the shape of a tile, keys and their
// digits.
//
// Keys are moved as they are. A digit is taken from the unsigned number that orders as the key
// does. This number is complemented where the order is descending, so the sort is stable in both
// orders.
#ifndef RADIX_SORT_GLSL
#define RADIX_SORT_GLSL

#include "sort/radix_sort/radix_sort.abi.h"
#if defined(VKP_KEY_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif
#define VKP_KEY_TYPE_CONSTANT VKP_RADIX_SPEC_TYPE
#include "vkprims/keys.glsl"

layout(push_constant) uniform Push { RadixSortPush push; };

layout(constant_id = VKP_RADIX_SPEC_FLAGS) const uint spec_flags = 0;
layout(constant_id = VKP_RADIX_SPEC_VALUE_WORDS) const uint value_words = 0;
layout(constant_id = VKP_RADIX_SPEC_DIGIT_BITS) const uint digit_bits = 4;
layout(constant_id = VKP_RADIX_SPEC_SUBGROUPS) const uint subgroups = 1;

const bool descending = (spec_flags & VKP_RADIX_DESCENDING) != 0u;
const bool wide = (spec_flags & VKP_RADIX_WIDE) != 0u;
const bool multi_pass = (spec_flags & VKP_RADIX_MULTI_PASS) != 0u;
const uint BINS = 1u << digit_bits;

// The bits of a key as they lie in memory: uint or uvec2.
#if VKP_KEY_WORDS == 1
const uint ALL_ONES = ~0u;
uint load_bits(const uvec2 base, const uint i) { return VkpWords(base).v[i]; }
void store_bits(uvec2 base, uint i, uint bits) { VkpWords(base).v[i] = bits; }
uint bits_from(uint key, uint shift) { return key >> shift; }
#else
const uvec2 ALL_ONES = uvec2(~0u);
uvec2 load_bits(const uvec2 base, const uint i) { return VkpWords2(base).v[i]; }
void store_bits(uvec2 base, uint i, uvec2 bits) { VkpWords2(base).v[i] = bits; }
uint bits_from(uvec2 key, uint shift) {
  return shift < 32u ? vkp_shr64(key, shift).x : key.y >> (shift - 32u);
}
#endif

// Returns the unsigned number by which a key is ordered.
VKP_KEY ordered(VKP_KEY bits) { return vkp_order_of(bits, descending); }

// Returns the bits of a key that comes last, whatever the order. There is no choice between vectors
// by a constant, as lavapipe gets that wrong.
VKP_KEY last_bits() {
  VKP_KEY last = ALL_ONES;
  if (descending && !vkp_key_by_value) last = VKP_KEY(0u);
  return vkp_key_bits(last);
}

// The digits of a pass. A pass that has no bits left has a single digit.
struct Digits {
  uint shift;
  uint mask;
};

Digits digits_of_pass(uint pass) {
  const uint begin = min(push.begin_bit + pass * digit_bits, push.end_bit);
  return Digits(min(begin, 32u * VKP_KEY_WORDS - 1u),
                (1u << min(digit_bits, push.end_bit - begin)) - 1u);
}

uint digit_of(const VKP_KEY bits, const Digits digits) {
  return bits_from(ordered(bits), digits.shift) & digits.mask;
}

// The places between which keys and values move.
uvec2 keys_at(uint place) {
  if (place == 0u) return vkp_u64(push.keys_in);
  return place == 1u ? vkp_u64(push.keys_out) : vkp_u64(push.keys_third);
}
uvec2 values_at(uint place) {
  if (place == 0u) return vkp_u64(push.values_in);
  return place == 1u ? vkp_u64(push.values_out) : vkp_u64(push.values_third);
}

uvec2 value_at(const uvec2 base, const uint i) {
  if (value_words == 1u) return uvec2(VkpWords(base).v[i], 0u);
  return VkpWords2(base).v[i];
}
void set_value(uvec2 base, uint i, uvec2 value) {
  if (value_words == 1u) VkpWords(base).v[i] = value.x;
  if (value_words == 2u) VkpWords2(base).v[i] = value;
}

uvec2 plan_address() { return vkp_add64(vkp_u64(push.scratch), VKP_RADIX_PLAN_OFFSET); }

// Returns the address of the bins of a pass: 64 bits for each digit, in one of two halves.
uvec2 bins_of(const uint pass, const uint side) {
  const uint offset =
      VKP_RADIX_BINS_OFFSET + pass * VKP_RADIX_BINS_BYTES(digit_bits) + side * 8u * BINS;
  return vkp_add64(vkp_u64(push.scratch), offset);
}

#endif

// Elements of the built-in types as keys: unsigned numbers of the same size that order as the
// elements do. So one comparison of words serves all types, including 64-bit types, without any
// feature of the device.
//
// A specialization constant says which type the elements have and how floats order (keys.h).
// vkp_key_of() and vkp_key_bits() are each other's inverse and order floats by their bits, with -0
// below +0; NaN without a sign comes after +infinity, NaN with a sign before -infinity.
// vkp_order_of() orders elements as the constant says; by value, several elements have the same
// number, and vkp_key_bits() returns the bits of one of them.
#ifndef VKPRIMS_KEYS_GLSL
#define VKPRIMS_KEYS_GLSL

#include "vkprims/core.glsl"
#include "vkprims/floats.glsl"
#include "vkprims/keys.h"

#if !defined(VKP_KEY_TYPE_CONSTANT) || !defined(VKP_KEY_WORDS)
#error "keys.glsl: define VKP_KEY_TYPE_CONSTANT, a constant's number, and VKP_KEY_WORDS, 1 or 2"
#endif

layout(constant_id = VKP_KEY_TYPE_CONSTANT) const uint vkp_key_type = 0;
const bool vkp_key_is_signed = vkp_key_type % uint(VKP_KEY_BY_VALUE) % 3u == 1u;
const bool vkp_key_is_float = vkp_key_type % uint(VKP_KEY_BY_VALUE) % 3u == 2u;
const bool vkp_key_by_value = vkp_key_type >= uint(VKP_KEY_BY_VALUE);
const uint VKP_KEY_BYTES = 4u * VKP_KEY_WORDS;

#if VKP_KEY_WORDS == 1
#define VKP_KEY uint
bool vkp_key_less(VKP_KEY a, VKP_KEY b) { return a < b; }

VKP_KEY vkp_key_of(const uint bits) {
  if (vkp_key_is_signed) return bits ^ 0x80000000u;
  // All bits of negative numbers are flipped, and only the sign of the others.
  if (vkp_key_is_float) return bits ^ (uint(int(bits) >> 31) | 0x80000000u);
  return bits;
}

uint vkp_key_bits(VKP_KEY key) {
  if (vkp_key_is_signed) return key ^ 0x80000000u;
  if (vkp_key_is_float) return key ^ (uint(int(~key) >> 31) | 0x80000000u);
  return key;
}

VKP_KEY vkp_load_bits(uvec2 address) { return VkpWords(address).v[0]; }
#else
#define VKP_KEY uvec2
bool vkp_key_less(VKP_KEY a, VKP_KEY b) { return vkp_less64(a, b); }

VKP_KEY vkp_key_of(const uvec2 bits) {
  const uint sign = uint(int(bits.y) >> 31);
  if (vkp_key_is_signed) return uvec2(bits.x, bits.y ^ 0x80000000u);
  if (vkp_key_is_float) return bits ^ uvec2(sign, sign | 0x80000000u);
  return bits;
}

uvec2 vkp_key_bits(VKP_KEY key) {
  const uint sign = uint(int(~key.y) >> 31);
  if (vkp_key_is_signed) return uvec2(key.x, key.y ^ 0x80000000u);
  if (vkp_key_is_float) return key ^ uvec2(sign, sign | 0x80000000u);
  return key;
}

VKP_KEY vkp_load_bits(uvec2 address) { return VkpWords2(address).v[0]; }
#endif

// The order may be descending, and NaN come last all the same: by value, no other element has the
// number of ones only.
VKP_KEY vkp_order_of(VKP_KEY bits, bool descending) {
  if (vkp_key_by_value) return vkp_float_order(bits, descending);
  VKP_KEY key = vkp_key_of(bits);
  if (descending) key = ~key;
  return key;
}
VKP_KEY vkp_order_of(VKP_KEY bits) { return vkp_order_of(bits, false); }

VKP_KEY vkp_load_key(const uvec2 address) { return vkp_order_of(vkp_load_bits(address)); }

#endif

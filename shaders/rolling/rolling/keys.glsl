// Elements as keys, for min and for max: unsigned numbers of the same size, of which a smaller one
// is better.
//
// A float's bits order like a signed integer once those of negative numbers are flipped (M. Herf,
// "Radix Tricks", 2001). Then a number is added that takes the best infinity to 0, so that NaNs of
// both signs are above the worst infinity: they never win against a number.
#ifndef VKPRIMS_ROLLING_KEYS_GLSL
#define VKPRIMS_ROLLING_KEYS_GLSL

#include "rolling/rolling/monoids.glsl"

layout(constant_id = VKP_ROLLING_SPEC_TYPE) const uint type = 0;  // vkprims::Type
const bool of_floats = type == 2u || type == 5u;
const bool of_signed = type == 1u || type == 4u;
const bool largest = op == VKP_ROLLING_OP_MAX || op == VKP_ROLLING_OP_ARG_MAX;

#if !FLOATING
// These are the bits that are flipped in the highest word of an element, and in the other word.
const uint flip_low = largest && !of_floats ? 0xffffffffu : 0u;
const uint flip_high = of_signed ? (largest ? 0x7fffffffu : 0x80000000u)
                                 : (largest ? (of_floats ? 0x80000000u : 0xffffffffu) : 0u);

#if VALUE_WORDS == 1
// This is the worst key of an element that is a number.
const uint worst_key = of_floats ? 0xff000001u : 0xffffffffu;

uint key_of(uint bits) {
  uint x = bits ^ flip_high;
  if (of_floats) x = (x ^ (uint(int(x) >> 31) & 0x7fffffffu)) + 0x7f800001u;
  return x;
}

uint bits_of(const uint key) {
  uint x = key;
  if (of_floats) {
    x -= 0x7f800001u;
    x ^= uint(int(x) >> 31) & 0x7fffffffu;
  }
  return x ^ flip_high;
}
#else
const uvec2 worst_key = uvec2(of_floats ? 1u : 0xffffffffu, of_floats ? 0xffe00000u : 0xffffffffu);

uvec2 key_of(uvec2 bits) {
  uvec2 x = bits ^ uvec2(flip_low, flip_high);
  if (of_floats) {
    const uint negative = uint(int(x.y) >> 31);
    x = vkp_add64(x ^ uvec2(negative, negative & 0x7fffffffu), uvec2(1u, 0x7ff00000u));
  }
  return x;
}

uvec2 bits_of(const uvec2 key) {
  uvec2 x = key;
  if (of_floats) {
    x = vkp_sub64(x, uvec2(1u, 0x7ff00000u));
    const uint negative = uint(int(x.y) >> 31);
    x ^= uvec2(negative, negative & 0x7fffffffu);
  }
  return x ^ uvec2(flip_low, flip_high);
}
#endif
#endif

#endif

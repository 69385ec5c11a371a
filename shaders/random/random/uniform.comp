// Uniform numbers: lower + (upper - lower) * u with u in [0, 1), made of the highest bits of a draw
// of one or two words.
//
// int32: the high word of the product of the draw and the range (D. Lemire, "Fast random integer
// generation in an interval", 2019, without the rejection that makes all values equally likely to
// the last bit).
// f64: numbers between 0 and 1, put together from integers, so that no 64-bit type is needed;
// scaled_f64: numbers of any other range.
// %VARIANT% AS int32|f32|f64|scaled_f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "cells.glsl"

#if defined(VKP_AS_int32)
uint uniform_number(uint word) {
  const uint range = push.scale.lo;
  return push.offset.lo + (range == 0u ? word : vkp_mul64(word, range).y);
}
#elif defined(VKP_AS_f32)
// The result is rounded twice: some compilers contract a product and a sum although both are
// `precise`, unless the product passes through an operation that they cannot see through.
uint uniform_number(uint word) {
  precise const float scaled =
      uintBitsToFloat(push.scale.lo) * (float(word >> 8) * (1.0 / 16777216.0));
  precise const float shifted =
      uintBitsToFloat(push.offset.lo) + uintBitsToFloat(floatBitsToUint(scaled) ^ push.zero);
  return floatBitsToUint(shifted);
}
#else
// Returns the bits of k * 2^-53, where k is the number in the highest 53 bits of the draw.
uvec2 unit_number(uvec2 draw) {
  const uvec2 k = vkp_shr64(draw, 11u);
  if (k == uvec2(0u)) return k;
  // This moves the highest bit of k to place 52, which adds 1 to the exponent.
  const uint up = 52u - uint(k.y != 0u ? findMSB(k.y) + 32 : findMSB(k.x));
  const uvec2 significand = up < 32u ? vkp_shl64(k, up) : uvec2(0u, k.x << (up - 32u));
  return significand + uvec2(0u, (1021u - up) << 20);
}

uvec2 uniform_number(uvec2 draw) {
  const uvec2 unit = unit_number(draw);
#if defined(VKP_AS_scaled_f64)
  precise const double scaled = packDouble2x32(vkp_u64(push.scale)) * packDouble2x32(unit);
  precise const double shifted = packDouble2x32(vkp_u64(push.offset)) +
                                 packDouble2x32(unpackDouble2x32(scaled) ^ uvec2(0u, push.zero));
  return unpackDouble2x32(shifted);
#else
  return unit;
#endif
}
#endif

uvec4 random_cell(VkpRng rng, uvec2 cell) {
  const uvec4 x = vkp_rng_block(rng, cell, rounds);
#if defined(VKP_AS_int32) || defined(VKP_AS_f32)
  return uvec4(uniform_number(x.x), uniform_number(x.y), uniform_number(x.z), uniform_number(x.w));
#else
  return uvec4(uniform_number(x.xy), uniform_number(x.zw));
#endif
}

void main() { random_cells(); }

// Floats by their values (vkprims::FloatOrder::by_value), as bits: f32 are one word, f64 two. There
// is no floating-point arithmetic, so f64 needs no feature of the device, and no device takes
// denormal numbers for 0.
#ifndef VKPRIMS_FLOATS_GLSL
#define VKPRIMS_FLOATS_GLSL

#include "vkprims/core.glsl"

bool vkp_bits_are_zero(uint bits) { return bits << 1 == 0u; }
bool vkp_bits_are_zero(uvec2 bits) { return (bits.x | bits.y << 1) == 0u; }

bool vkp_bits_are_nan(uint bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
// The lower word matters only where the upper one is that of an infinity.
bool vkp_bits_are_nan(uvec2 bits) { return (bits.y & 0x7fffffffu) + min(bits.x, 1u) > 0x7ff00000u; }

// Returns the same bits for all floats that are equal: zeros become the one without a sign, NaN
// become bits above all others.
uint vkp_bits_by_value(const uint bits) {
  const bool nan = vkp_bits_are_nan(bits);
  const uint word = vkp_bits_are_zero(bits) ? 0u : bits;
  return nan ? 0x7fffffffu : word;
}
uvec2 vkp_bits_by_value(const uvec2 bits) {
  const bool nan = vkp_bits_are_nan(bits);
  const uint high = vkp_bits_are_zero(bits) ? 0u : bits.y;
  return uvec2(nan ? 0xffffffffu : bits.x, nan ? 0x7fffffffu : high);
}

// Returns an unsigned number that orders by value: zeros have the same one, and all NaN that of all
// ones, so that they come last whatever the direction. All bits of negative numbers are flipped,
// and the others get a sign.
uint vkp_float_order(const uint bits, const bool descending) {
  const uint minus = bits > 0x80000000u ? ~0u : 0u;
  const uint order = (bits ^ minus) | (~minus & 0x80000000u);
  return vkp_bits_are_nan(bits) ? ~0u : order ^ (descending ? ~0u : 0u);
}
uvec2 vkp_float_order(const uvec2 bits, const bool descending) {
  const uint minus = vkp_less64(uvec2(0u, 0x80000000u), bits) ? ~0u : 0u;
  const uvec2 order = (bits ^ minus) | uvec2(0u, ~minus & 0x80000000u);
  return vkp_bits_are_nan(bits) ? uvec2(~0u) : order ^ (descending ? ~0u : 0u);
}

// Do the same for the floats of 16 bytes: 4 of one word or 2 of two.
uvec4 vkp_words_by_value(uvec4 bits) {
  const bvec4 nan = greaterThan(bits & 0x7fffffffu, uvec4(0x7f800000u));
  const uvec4 words = mix(bits, uvec4(0u), equal(bits << 1, uvec4(0u)));
  return mix(words, uvec4(0x7fffffffu), nan);
}
uvec4 vkp_pairs_by_value(const uvec4 bits) {
  return uvec4(vkp_bits_by_value(bits.xy), vkp_bits_by_value(bits.zw));
}

#endif

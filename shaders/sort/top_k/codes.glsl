// Codes, and their digits. Codes are unsigned numbers of the size of a key; the least is taken
// first.
#ifndef TOP_K_CODES_GLSL
#define TOP_K_CODES_GLSL

#include "sort/top_k/top_k.abi.h"
#if defined(VKP_KEY_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif
#define VKP_ITEM_WORDS VKP_KEY_WORDS
#define VKP_KEY_TYPE_CONSTANT VKP_TOP_K_SPEC_TYPE
#include "vkprims/keys.glsl"

layout(constant_id = VKP_TOP_K_SPEC_ORDER) const uint key_order = 0;
layout(constant_id = VKP_TOP_K_SPEC_DIGIT_BITS) const uint digit_bits = 8;
const bool largest_first = (key_order & VKP_TOP_K_LARGEST) != 0u;
const uint code_bits = 32u * VKP_KEY_WORDS;
const uint passes = (code_bits + digit_bits - 1u) / digit_bits;
const VKP_KEY no_bits = VKP_KEY(0u);
const VKP_KEY all_bits = VKP_KEY(0xffffffffu);

#if VKP_KEY_WORDS == 1
VKP_KEY key_bits(uvec4 cell, uint k) { return cell[k]; }
uvec2 words_of(VKP_KEY code) { return uvec2(code, 0u); }
VKP_KEY code_from(uvec2 words) { return words.x; }
#else
VKP_KEY key_bits(uvec4 cell, uint k) { return uvec2(cell[2u * k], cell[2u * k + 1u]); }
uvec2 words_of(VKP_KEY code) { return code; }
VKP_KEY code_from(uvec2 words) { return words; }
#endif

VKP_KEY code_of(const VKP_KEY bits) { return vkp_order_of(bits, largest_first); }

struct Digit {
  uint shift, mask;
  VKP_KEY above;  // the bits above the digit
};

VKP_KEY ones_below(uint bit) {
#if VKP_KEY_WORDS == 1
  return bit == 32u ? all_bits : (1u << bit) - 1u;
#else
  if (bit >= 32u) return uvec2(all_bits.x, bit == 64u ? all_bits.x : (1u << (bit - 32u)) - 1u);
  return uvec2((1u << bit) - 1u, 0u);
#endif
}

// Passes begin with the highest digit; the last one may be narrower.
Digit digit_of_pass(uint pass) {
  const uint end = code_bits - pass * digit_bits;
  const uint shift = end - min(end, digit_bits);
  return Digit(shift, (1u << (end - shift)) - 1u, ~ones_below(end));
}

uint digit_of(const VKP_KEY code, const Digit digit) {
#if VKP_KEY_WORDS == 1
  return (code >> digit.shift) & digit.mask;
#else
  const uint low =
      digit.shift < 32u ? vkp_shr64(code, digit.shift).x : code.y >> (digit.shift - 32u);
  return low & digit.mask;
#endif
}

VKP_KEY with_digit(VKP_KEY code, Digit digit, uint value) {
#if VKP_KEY_WORDS == 1
  return code | (value << digit.shift);
#else
  if (digit.shift < 32u) return code | vkp_shl64(uvec2(value, 0u), digit.shift);
  return uvec2(code.x, code.y | (value << (digit.shift - 32u)));
#endif
}

#endif

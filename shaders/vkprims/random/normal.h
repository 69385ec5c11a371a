/* Two normally distributed numbers from two random words, by integer arithmetic alone. So the bits
 * are the same on every device, whatever its floats do, and on the host, for which this is C++.
 *
 * Box and Muller: with u, v uniform, r = sqrt(-2 ln u) and a = 2 pi v, the numbers r cos a and r
 * sin a are independent and normal. u is the middle of one of 2^31 equal parts of [0, 1], v of one
 * of 2^32: neither r nor the cosine or sine is ever 0, and r is at most 6.67. Fractions are words
 * in the format Qn, that is, in units of 2^-n; polynomials are minimax (Remez). The relative errors
 * are 2^-27.8 for the logarithm and 2^-28 for the square root, sine and cosine, so that results are
 * less than 0.7 units in the last place from the real function of the words.
 *
 * Source: G. Box, M. Muller, "A note on the generation of random normal deviates" (1958). */
#ifndef VKPRIMS_NORMAL_H
#define VKPRIMS_NORMAL_H

#ifdef __cplusplus
#include <bit>

#include "vkprims/push.h"
#define VKP_NORMAL_FUNCTION inline
namespace vkprims::abi {

inline uint vkp_mul_high(uint a, uint b) {
  return static_cast<uint>((std::uint64_t{a} * b) >> 32);
}
inline int vkp_mul_high_signed(int a, int b) {
  return static_cast<int>((std::int64_t{a} * b) >> 32);
}
inline uint vkp_highest_bit(uint x) { return static_cast<uint>(std::bit_width(x)) - 1; }
#else
#define VKP_NORMAL_FUNCTION

uint vkp_mul_high(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return high;
}
int vkp_mul_high_signed(int a, int b) {
  int high, low;
  imulExtended(a, b, high, low);
  return high;
}
uint vkp_highest_bit(uint x) { return uint(findMSB(x)); }
#endif

/* A number: significand * 2^(exponent - 31), with significand at least 2^30. */
struct VkpScaled {
  uint significand;
  int exponent;
};

/* Returns -ln((x | 1) / 2^32) * 2, whose square root will be taken, as s * 2^exponent, with s in
 * Q32 in [1/4, 1) and an even exponent. With x = m * 2^-e, m in [3/4, 3/2), and d = 1 - m, -ln x =
 * e * ln 2 + d * p(d): no digits cancel. */
VKP_NORMAL_FUNCTION VkpScaled vkp_minus_two_log(uint x) {
  x |= 1u;
  uint e = 31u - vkp_highest_bit(x);
  const uint m = x << e;
  const bool upper = m >= 0xc0000000u;
  const int d = int(0u - (upper ? m : m << 1)); /* Q32 */
  e += upper ? 0u : 1u;

  /* p(d) = -ln(1 - d) / d, Q30 */
  int p = 47889425;
  p = 112136092 + vkp_mul_high_signed(p, d);
  p = 141616897 + vkp_mul_high_signed(p, d);
  p = 155625671 + vkp_mul_high_signed(p, d);
  p = 178732968 + vkp_mul_high_signed(p, d);
  p = 214633031 + vkp_mul_high_signed(p, d);
  p = 268436271 + vkp_mul_high_signed(p, d);
  p = 357915746 + vkp_mul_high_signed(p, d);
  p = 536870925 + vkp_mul_high_signed(p, d);
  p = 1073741820 + vkp_mul_high_signed(p, d);

  /* This is the sum in Q59, in two words: d * p has 62 places, ln 2 = 93032639 * 2^-27 + 49953263 *
     2^-53. */
  const int product = vkp_mul_high_signed(p, d);
  const uint rest = e * 49953263u;
  const uint part = (uint(product) << 29) | ((uint(p) * uint(d)) >> 3);
  uint low = part + (rest << 6);
  uint high = uint(product >> 3) + e * 93032639u + (rest >> 26) + (low < part ? 1u : 0u);

  uint shift = 0u;
  if (high == 0u) {
    high = low;
    low = 0u;
    shift = 32u;
  }
  const uint more = (31u - vkp_highest_bit(high)) & ~1u;
  VkpScaled result;
  result.significand = (high << more) | ((low >> 1) >> (31u - more));
  result.exponent = 6 - int(shift + more);
  return result;
}

/* Returns the square root, in Q32, of s, which is in Q32 in [1/4, 1). The polynomial y for 1 / (2
 * sqrt(s)) is good to 2^-7. A step of Newton's method, y += y * (1 - 4 s y^2) / 2, leaves it up to
 * 2^-13.7 too small; with 2^-14.7 more than 1 in this formula it is good to 2^-14.7. So is g = 2 s
 * y, to which another step adds (s - g^2) * y. */
VKP_NORMAL_FUNCTION uint vkp_square_root(uint s) {
  uint y = 1309116136u; /* Q30 */
  y = 3344645244u - vkp_mul_high(y, s);
  y = 3173380742u - vkp_mul_high(y, s);
  y = 1670943470u - vkp_mul_high(y, s);
  const uint quarter = vkp_mul_high(vkp_mul_high(s, y) << 2, y << 1); /* s y^2, Q31 */
  y += uint(vkp_mul_high_signed(int(y), int(536910700u - quarter) * 128) >> 5);
  const uint g = vkp_mul_high(s, y << 1); /* Q30 */
  const uint square = g * g;
  const uint low = s << 28;
  const uint high = (s >> 4) - vkp_mul_high(g, g) - (low < square ? 1u : 0u);
  const int rest = int((high << 15) | ((low - square) >> 17)); /* s - g^2, Q43 */
  return (g << 2) + uint(vkp_mul_high_signed(rest, int(y)) >> 9);
}

/* These return cosine and sine of pi / 2 * t, with t in Q32 in (0, 1/2). */
VKP_NORMAL_FUNCTION VkpScaled vkp_cosine(uint t) {
  const uint z = vkp_mul_high(t, t);
  uint c = 1939957u; /* Q31 */
  c = 44796372u - vkp_mul_high(c, z);
  c = 544750422u - vkp_mul_high(c, z);
  c = 2649351735u - vkp_mul_high(c, z);
  c = 2147483648u - vkp_mul_high(c, z);
  VkpScaled result;
  result.significand = c;
  result.exponent = 0;
  return result;
}

VKP_NORMAL_FUNCTION VkpScaled vkp_sine(uint t) {
  const uint z = vkp_mul_high(t, t);
  uint c = 9881985u; /* Q31 */
  c = 171111568u - vkp_mul_high(c, z);
  c = 1387195968u - vkp_mul_high(c, z);
  c = 3373259415u - vkp_mul_high(c, z);
  const uint shift = 31u - vkp_highest_bit(t);
  VkpScaled result;
  result.significand = vkp_mul_high(t << shift, c);
  result.exponent = -int(shift);
  return result;
}

/* Returns the bits of the float a * b * 2^exponent, rounded to nearest; a is in Q32 in [1/2, 1). */
VKP_NORMAL_FUNCTION uint vkp_scaled_product(uint a, VkpScaled b, int exponent) {
  exponent += b.exponent;
  uint m = vkp_mul_high(a, b.significand);
  const uint shift = 31u - vkp_highest_bit(m);
  m <<= shift;
  exponent -= int(shift);
  return (uint(exponent + 126) << 23) + (m >> 8) + ((m >> 7) & 1u);
}

/* The bits of two floats. */
struct VkpNormalPair {
  uint first, second;
};

VKP_NORMAL_FUNCTION VkpNormalPair vkp_normal_pair(uint u, uint v) {
  const VkpScaled square = vkp_minus_two_log(u);
  const uint r = vkp_square_root(square.significand);
  const int exponent = square.exponent / 2;
  /* The angle is a quadrant and, in the quadrant, the middle of its part in Q32. */
  const uint quadrant = v >> 30;
  const uint x = (v << 2) | 2u;
  const bool beyond = x >= 0x80000000u;
  const uint t = beyond ? 0u - x : x;
  const uint cosine = vkp_scaled_product(r, vkp_cosine(t), exponent);
  const uint sine = vkp_scaled_product(r, vkp_sine(t), exponent);
  const bool swap = beyond != ((quadrant & 1u) != 0u);
  VkpNormalPair pair;
  pair.first = (swap ? sine : cosine) | ((((quadrant + 1u) >> 1) & 1u) << 31);
  pair.second = (swap ? cosine : sine) | ((quadrant >> 1) << 31);
  return pair;
}

#ifdef __cplusplus
}
#endif
#undef VKP_NORMAL_FUNCTION
#endif

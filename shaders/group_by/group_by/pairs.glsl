// Numbers as sums of two floats, of which the second is what rounding the first left over: about 46
// bits.
//
// Source: T. Dekker, "A floating-point technique for extending the available precision" (1971); the
// two-sum is by D. Knuth.
#ifndef GROUP_BY_PAIRS_GLSL
#define GROUP_BY_PAIRS_GLSL

// A sum that is infinite or NaN has nothing left over.
vec2 pair_of(float sum, float rest) {
  precise const float high = sum + rest;
  precise const float low = rest - (high - sum);
  const bool finite = (floatBitsToUint(sum) & 0x7f800000u) != 0x7f800000u;
  return finite ? vec2(high, low) : vec2(sum, 0.0);
}

vec2 pair_add(const vec2 a, const vec2 b) {
  precise const float sum = a.x + b.x;
  precise const float part = sum - a.x;
  precise const float rest = (a.x - (sum - part)) + (b.x - part);
  precise const float all = rest + (a.y + b.y);
  return pair_of(sum, all);
}

// Returns the upper half of the bits of x.
float upper_half(float x) {
  precise const float scaled = 4097.0 * x;
  precise const float high = scaled - (scaled - x);
  return high;
}

vec2 pair_mul(const vec2 a, const vec2 b) {
  const float ah = upper_half(a.x);
  const float bh = upper_half(b.x);
  precise const float al = a.x - ah;
  precise const float bl = b.x - bh;
  precise const float product = a.x * b.x;
  precise const float rest = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
  precise const float all = rest + (a.x * b.y + a.y * b.x);
  return pair_of(product, all);
}

vec2 pair_div(vec2 a, vec2 b) {
  const vec2 first = vec2(a.x / b.x, 0.0);
  const vec2 left = pair_add(a, -pair_mul(first, b));
  const vec2 second = vec2(left.x / b.x, 0.0);
  const vec2 sum = pair_add(first, second);
  return (floatBitsToUint(first.x) & 0x7f800000u) == 0x7f800000u ? first : sum;
}

vec2 pair_from(uint x) {
  return pair_add(vec2(float(x & 0xffff0000u), 0.0), vec2(float(x & 0xffffu), 0.0));
}

vec2 pair_from(uvec2 x) {
  return pair_add(pair_mul(pair_from(x.y), vec2(4294967296.0, 0.0)), pair_from(x.x));
}

// Converts a pair to f64, as bits. Denormal numbers become 0.
uvec2 pair_to_f64(vec2 x) {
  const uint high = floatBitsToUint(x.x);
  const uint low = floatBitsToUint(x.y);
  const uint sign = high & 0x80000000u;
  uint exponent = bitfieldExtract(high, 23, 8);
  const uint fraction = high & 0x7fffffu;
  if (exponent == 0u) return uvec2(0u, sign);
  if (exponent == 255u) {
    return uvec2(0u, sign | 0x7ff00000u | fraction >> 3 | uint(fraction != 0u) << 19);
  }
  uvec2 bits = vkp_shl64(uvec2(fraction | 0x800000u, 0u), 29u);
  const uint low_exponent = bitfieldExtract(low, 23, 8);
  const int shift = int(low_exponent) - int(exponent) + 29;
  if (low_exponent != 0u && shift > -24) {
    const uint digits = (low & 0x7fffffu) | 0x800000u;
    const uvec2 rest =
        shift >= 0 ? vkp_shl64(uvec2(digits, 0u), uint(shift)) : uvec2(digits >> uint(-shift), 0u);
    bits = ((low ^ high) & 0x80000000u) == 0u ? vkp_add64(bits, rest) : vkp_sub64(bits, rest);
    if (bits.y < 0x100000u) {  // it was a power of 2
      bits = vkp_shl64(bits, 1u);
      --exponent;
    }
  }
  return uvec2(bits.x, sign | (exponent + 896u) << 20 | (bits.y & 0xfffffu));
}

#endif

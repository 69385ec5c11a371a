// number_of() takes an element apart. It is exact for integers and floats of 1 or 2 words; `from`
// says which they are.
#ifndef TRANSFORM_NUMBER_GLSL
#define TRANSFORM_NUMBER_GLSL

// The value is (1 + fraction) * 2^exponent, or 0; the significand is {low, high}.
struct Number {
  bool negative, finite;
  int exponent;
  uvec2 significand;  // for NaN, bits below the highest are set
};

// Moves the highest bit of a significand to the top; 0 stays 0.
void normalise(inout Number n) {
  if (n.significand.y == 0u) {
    n.significand = n.significand.yx;
    n.exponent -= 32;
  }
  const uint shift = n.significand.y == 0u ? 0u : 31u - uint(findMSB(n.significand.y));
  n.significand = vkp_shl64(n.significand, shift);
  n.exponent -= int(shift);
}

// Returns the number of a float whose fraction, moved to the top, is `fraction`.
Number from_float(bool negative, int field, int largest, uvec2 fraction) {
  Number n = Number(negative, field != largest, field - largest / 2, fraction);
  if (field == 0) {
    normalise(n);
  } else {
    n.significand = uvec2(fraction.x >> 1 | fraction.y << 31, fraction.y >> 1 | 0x80000000u);
  }
  return n;
}

#if defined(VKP_IN_w32)
Number number_of(uint a) {
  if (from == VKP_KIND_FLOAT) {
    return from_float(int(a) < 0, int(a >> 23 & 0xffu), 255, uvec2(0u, a << 9));
  }
  Number n = Number(from == VKP_KIND_SIGNED && int(a) < 0, true, 31, uvec2(0u, a));
  if (n.negative) n.significand.y = 0u - a;
  normalise(n);
  return n;
}
#else
Number number_of(uvec2 a) {
  if (from == VKP_KIND_FLOAT) {
    return from_float(int(a.y) < 0, int(a.y >> 20 & 0x7ffu), 2047, vkp_shl64(a, 12u));
  }
  Number n = Number(from == VKP_KIND_SIGNED && int(a.y) < 0, true, 63, a);
  if (n.negative) n.significand = vkp_sub64(uvec2(0u), a);
  normalise(n);
  return n;
}
#endif

bool is_nan(Number n) { return !n.finite && n.significand != uvec2(0u, 0x80000000u); }

// Returns 1 if what is cut off, a fraction of 2^32, rounds `kept` up: if it is more than a half, or
// a half where `kept` is odd.
uint carry_of(uint cut, uint kept) { return uint(cut > 0x80000000u - (kept & 1u)); }

#endif

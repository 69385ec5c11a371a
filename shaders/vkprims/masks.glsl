// Words as sets of up to 32 items.
#ifndef VKPRIMS_MASKS_GLSL
#define VKPRIMS_MASKS_GLSL

// Returns the lowest n bits, or all for n from 32 on.
uint vkp_low_bits(const uint n) { return n >= 32u ? 0xffffffffu : (1u << n) - 1u; }

// Returns the place of the set bit of rank k, counted from the lowest; there must be more than k
// set bits.
uint vkp_select_bit(uint mask, uint k) {
  uint at = 0u;
  [[unroll]] for (uint width = 16u; width > 0u; width /= 2u) {
    const uint low = uint(bitCount(bitfieldExtract(mask, int(at), int(width))));
    if (low <= k) {
      k -= low;
      at += width;
    }
  }
  return at;
}

#endif

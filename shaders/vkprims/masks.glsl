// Words as sets of up to 32 items.
#ifndef VKPRIMS_MASKS_GLSL
#define VKPRIMS_MASKS_GLSL

// The lowest n bits; all from 32 on.
uint vkp_low_bits(const uint n) { return n >= 32u ? 0xffffffffu : (1u << n) - 1u; }

// The bit of rank k, from the lowest, of those that are set; there are more than k.
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

// bin_of() says which bin a sample falls into. Floats, and integers with a sign, are ordered as
// unsigned numbers, so it makes no difference what a device does with NaN and denormals.
#ifndef HISTOGRAM_BINS_GLSL
#define HISTOGRAM_BINS_GLSL

const uint BY_KEY = 0;
const uint EVEN = 1;
const uint NONE = 0xffffffffu;  // bin of samples that count nowhere

#if defined(VKP_SAMPLE_f32)
// Returns unsigned numbers in the order of floats, with both zeros alike. NaN is above +infinity or
// below -infinity.
uint key_of(uint bits) {
  const uint negative = uint(int(bits) >> 31);
  return (bits << 1) == 0u ? 0x80000000u : bits ^ (negative | 0x80000000u);
}
uint widened(uint bits) { return bits; }
bool is_nan(uint bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

uint even_bin(uint bits) {
  const uint key = key_of(bits);
  if (key < push.lower || key > push.last) return NONE;
  precise const float above = uintBitsToFloat(bits) - uintBitsToFloat(push.scale.hi);
  precise const float bin = above * uintBitsToFloat(push.scale.lo);
  return min(uint(bin), push.bins - 1u);
}
#else
// Returns a sample as 32 bits, with its sign if it has one.
uint widened(uint x) {
  return has_sign != 0u ? uint(bitfieldExtract(int(x), 0, 8 * SAMPLE_BYTES)) : x;
}
uint key_of(uint x) { return has_sign != 0u ? x ^ 0x80000000u : x; }
bool is_nan(uint x) { return false; }

// Returns (x - lower) * bins / (upper - lower), rounded down. Multiplication by the rounded scale
// gives a result that is right or 1 too small, because x - lower is below 2^32 and the scale is
// less than 2^-32 off.
uint even_bin(uint sample_bits) {
  const uint x = key_of(sample_bits);
  if (x < push.lower || x > push.last) return NONE;
  const uint above = x - push.lower;
  const uint bin = above * push.scale.hi + vkp_mul64(above, push.scale.lo).y;
  if (push.width == 0u) return bin;
  const uvec2 rest = vkp_sub64(vkp_mul64(above, push.bins), vkp_mul64(bin, push.width));
  return vkp_less64(rest, uvec2(push.width, 0u)) ? bin : bin + 1u;
}
#endif

uint level_key(uint i) {
  if (shared_levels != 0u) return words[COUNTERS * copies + i];
  return key_of(VkpWords(vkp_u64(push.levels_base)).v[i]);
}

// Returns the last of the levels that are not above x. If levels are not in order, it is one of
// them.
uint bin_by_level(uint x) {
  if (is_nan(x)) return NONE;
  const uint key = key_of(x);
  uint below = 0u;  // levels that are not above x
  for (uint step = 1u << findMSB(push.bins + 1u); step != 0u; step >>= 1) {
    if (below + step <= push.bins + 1u && level_key(below + step - 1u) <= key) below += step;
  }
  return below > push.bins ? NONE : below - 1u;  // if there is no such level, 0 - 1 is NONE, too
}

uint bin_of(uint sample_bits) {
  const uint x = widened(sample_bits);
  if (bins_by == BY_KEY) return x < push.bins ? x : NONE;
  return bins_by == EVEN ? even_bin(x) : bin_by_level(x);
}

#endif

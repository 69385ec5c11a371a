// The results of windows: this file computes means, turns keys back into elements and sets nulls.
//
// The includer declares a push constant block `push` that is a RollingPush.
#ifndef VKPRIMS_ROLLING_RESULTS_GLSL
#define VKPRIMS_ROLLING_RESULTS_GLSL

#include "rolling/rolling/input.glsl"

const bool checks_count = (flags & VKP_ROLLING_CHECKS_COUNT) != 0u;

// Returns how many elements of the window of row i exist.
uvec2 existing(const uvec2 i, const uvec2 n) {
  uvec2 begin = vkp_add64(i, vkp_u64(push.first));
  uvec2 end = vkp_add64(begin, vkp_u64(push.window));
  if ((begin.y & 0x80000000u) != 0u) begin = uvec2(0u);
  if ((end.y & 0x80000000u) != 0u) end = uvec2(0u);
  end = vkp_min64(end, n);
  return vkp_less64(begin, end) ? vkp_sub64(end, begin) : uvec2(0u);
}

#if OWN
// Windows of a user's monoid are their own results.
struct Divisor {
  uint none;
};
Divisor divisor_of(uvec2 n) { return Divisor(0u); }
#else

#if VALUE_WORDS == 1
const uvec2 not_a_number = uvec2(0x7fc00000u, 0u);
#else
const uvec2 not_a_number = uvec2(0u, 0x7ff80000u);
#endif

// The divisor of means, and its reciprocal.
struct Divisor {
  VALUE n, inverse;
};
Divisor divisor_of(uvec2 n) {
#if FLOATING
  if (op == VKP_ROLLING_OP_MEAN) return Divisor(number(n), VALUE(1) / number(n));
#endif
  return Divisor(VALUE(0), VALUE(0));
}

// Returns x / n, computed with the reciprocal and corrected by the remainder (P. Markstein,
// "Computation of elementary functions on the IBM RISC System/6000 processor", 1990). Where the
// remainder may be too small or too large to be a number, there is no correction, which is one
// rounding more than a division has.
VALUE mean_of(const Window x, const Divisor by) {
#if FLOATING
#if VALUE_WORDS == 1
  const uint exponent = floatBitsToUint(x.value) >> 23u & 0xffu;
  const uint least = 64u, most = 0xf0u;
#else
  const uint exponent = unpackDouble2x32(x.value).y >> 20u & 0x7ffu;
  const uint least = 256u, most = 0x7f0u;
#endif
  const VALUE y = x.value * by.inverse;
  const VALUE better = fma(fma(-y, by.n, x.value), by.inverse, y);
  return exponent - least <= most - least ? better : y;
#else
  return VALUE(0);
#endif
}

VALUE mean_of(const Window x, const uvec2 n) {
#if FLOATING
  if (op == VKP_ROLLING_OP_MEAN) return x.value / number(n);
#endif
  return VALUE(0);
}

// Returns the result of a window of `n` elements, as words. `mean` is the mean of the window, if
// that is asked for.
uvec2 result_of(const Window x, const uvec2 n, const VALUE mean) {
  if (op == VKP_ROLLING_OP_COUNT) return n;
#if ARG
  return x.index;
#else
  VALUE y = x.value;
#if VARIANCE
  if (!vkp_less64(uvec2(push.ddof, 0u), n)) return not_a_number;
  y = x.squares / number(vkp_sub64(n, uvec2(push.ddof, 0u)));
#elif FLOATING
  if (op == VKP_ROLLING_OP_MEAN) y = mean;
#else
  if (!sums) y = bits_of(is_less(worst_key, y) ? worst_key : y);
#endif
  const UNIT u = unit_of(y);
#if VALUE_WORDS == 1
  return uvec2(u, 0u);
#else
  return u;
#endif
#endif
}

// Returns the result of a row, which is null where its window has too few elements, and says
// whether it is valid.
uvec2 result_or_null(Window x, uvec2 elements, VALUE mean, out bool valid) {
  const bool enough = !checks_count || !vkp_less64(elements, vkp_u64(push.needed));
  valid = enough || (flags & VKP_ROLLING_FILLS) != 0u;
  if (!enough && op != VKP_ROLLING_OP_COUNT) return vkp_u64(push.null_value);
  return result_of(x, elements, mean);
}
#endif  // OWN

#endif

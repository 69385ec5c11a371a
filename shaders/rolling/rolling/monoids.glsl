// The monoids of windows: vkp_combine(left, right) joins two neighbouring runs of elements. The
// kernels use only that it is associative, and that sums and minima need no order. Nothing is ever
// subtracted from a sum, so a value that has left the window, infinite or huge, leaves no trace.
//
//   word, pair    sums of integers, modulo 2^32 and 2^64; minima of keys: unsigned numbers of
//                 which a smaller one is better, so that one comparison serves all types
//   f32, f64      sums
//   count_…       with a number of elements, for columns with nulls, and the heads of groups
//   arg_…         a key and the index of its element; of equal keys the left one wins
//   var_…         mean and sum of squared deviations: T. Chan, G. Golub, R. LeVeque, "Updating
//                 Formulae and a Pairwise Algorithm for Computing Sample Variances" (1979)
//   own           a monoid of a user's (own_windows.glsl)
//
// Groups: in a window that ends at its row only what follows the last head counts (GROUPS_LEFT); in
// a window that begins behind its row only what precedes the first head counts (GROUPS_RIGHT). Bit
// 63 of a count says that a run has a head. A count is an integer or, where it is computed with as
// an f64 (COUNT_IS_F64), the bits of one, of which bit 63 is the sign.
#ifndef VKPRIMS_ROLLING_MONOIDS_GLSL
#define VKPRIMS_ROLLING_MONOIDS_GLSL

#include "rolling/rolling/rolling.abi.h"
#include "vkprims/core.glsl"

layout(constant_id = VKP_SPEC_OP) const uint op = VKP_ROLLING_OP_SUM;
layout(constant_id = VKP_ROLLING_SPEC_FLAGS) const uint flags = 0;
const bool groups_left = (flags & VKP_ROLLING_GROUPS_LEFT) != 0u;
const bool groups_right = (flags & VKP_ROLLING_GROUPS_RIGHT) != 0u;
const bool sums =
    op == VKP_ROLLING_OP_SUM || op == VKP_ROLLING_OP_MEAN || op == VKP_ROLLING_OP_COUNT;

#if defined(VKP_OWN_MONOID)
#include "rolling/rolling/own_windows.glsl"
#else
#define OWN 0

#if defined(VKP_WINDOW_count_word) || defined(VKP_WINDOW_count_pair) || \
    defined(VKP_WINDOW_count_f32) || defined(VKP_WINDOW_count_f64)
#define COUNTED 1
#endif
#if defined(VKP_WINDOW_arg_word) || defined(VKP_WINDOW_arg_pair)
#define COUNTED 1
#define ARG 1
#else
#define ARG 0
#endif
#if defined(VKP_WINDOW_var_f32) || defined(VKP_WINDOW_var_f64)
#define COUNTED 1
#define VARIANCE 1
#else
#define VARIANCE 0
#endif
#ifndef COUNTED
#define COUNTED 0
#endif

#if defined(VKP_WINDOW_word) || defined(VKP_WINDOW_count_word) || defined(VKP_WINDOW_arg_word)
#define VALUE uint
#define VALUE_WORDS 1
#define FLOATING 0
#elif defined(VKP_WINDOW_pair) || defined(VKP_WINDOW_count_pair) || defined(VKP_WINDOW_arg_pair)
#define VALUE uvec2
#define VALUE_WORDS 2
#define FLOATING 0
#elif defined(VKP_WINDOW_f32) || defined(VKP_WINDOW_count_f32) || defined(VKP_WINDOW_var_f32)
#define VALUE float
#define VALUE_WORDS 1
#define FLOATING 1
#else
#define VALUE double
#define VALUE_WORDS 2
#define FLOATING 1
#endif

// Values cross shared memory as units of 4 or 8 bytes.
#if VALUE_WORDS == 1
#define UNIT uint
#else
#define UNIT uvec2
#endif
#define STAGED UNIT  // an element there

#if FLOATING && VALUE_WORDS == 1
UNIT unit_of(const float v) { return floatBitsToUint(v); }
float value_of(const uint u) { return uintBitsToFloat(u); }
#elif FLOATING
UNIT unit_of(const double v) { return unpackDouble2x32(v); }
double value_of(const uvec2 u) { return packDouble2x32(u); }
#else
UNIT unit_of(const UNIT v) { return v; }
UNIT value_of(const UNIT u) { return u; }
#endif

#define COUNT_IS_F64 (VARIANCE && VALUE_WORDS == 2)

struct Window {
  VALUE value;
#if VARIANCE
  VALUE squares;  // sum of squared deviations from the mean
#endif
#if ARG
  uvec2 index;  // all ones: no element
#endif
#if COUNTED
  uvec2 count;
#endif
};

#define VKP_T Window
#define VKP_WORDS (VALUE_WORDS * (1 + VARIANCE) + 2 * ARG + 2 * COUNTED)
#define UNITS (VKP_WORDS / VALUE_WORDS)

void pack_units(Window x, out UNIT u[UNITS]) {
  uint at = 0u;
  u[at++] = unit_of(x.value);
#if VARIANCE
  u[at++] = unit_of(x.squares);
#endif
#if ARG && VALUE_WORDS == 1
  u[at++] = x.index.x;
  u[at++] = x.index.y;
#elif ARG
  u[at++] = x.index;
#endif
#if COUNTED && VALUE_WORDS == 1
  u[at++] = x.count.x;
  u[at++] = x.count.y;
#elif COUNTED
  u[at++] = x.count;
#endif
}

Window unpack_units(UNIT u[UNITS]) {
  Window x;
  uint at = 0u;
  x.value = value_of(u[at++]);
#if VARIANCE
  x.squares = value_of(u[at++]);
#endif
#if ARG && VALUE_WORDS == 1
  x.index.x = u[at++];
  x.index.y = u[at++];
#elif ARG
  x.index = u[at++];
#endif
#if COUNTED && VALUE_WORDS == 1
  x.count.x = u[at++];
  x.count.y = u[at++];
#elif COUNTED
  x.count = u[at++];
#endif
  return x;
}

void vkp_pack(Window x, out uint w[VKP_WORDS]) {
  UNIT u[UNITS];
  pack_units(x, u);
#if VALUE_WORDS == 1
  w = u;
#else
  [[unroll]] for (uint i = 0u; i < UNITS; ++i) {
    w[2u * i] = u[i].x;
    w[2u * i + 1u] = u[i].y;
  }
#endif
}

Window vkp_unpack(uint w[VKP_WORDS]) {
#if VALUE_WORDS == 1
  return unpack_units(w);
#else
  UNIT u[UNITS];
  [[unroll]] for (uint i = 0u; i < UNITS; ++i) u[i] = uvec2(w[2u * i], w[2u * i + 1u]);
  return unpack_units(u);
#endif
}

VALUE value_identity() {
#if FLOATING
  return VALUE(0);
#else
  // There is no choice between constants of two words, as Mesa 22.3 takes the second word of the
  // wrong one.
  VALUE identity = VALUE(0xffffffffu);
  if (sums) identity = VALUE(0u);
  return identity;
#endif
}

Window vkp_identity() {
  Window x;
  x.value = value_identity();
#if VARIANCE
  x.squares = VALUE(0);
#endif
#if ARG
  x.index = uvec2(0xffffffffu);
#endif
#if COUNTED
  x.count = uvec2(0u);
#endif
  return x;
}
#endif  // VKP_OWN_MONOID

#if VALUE_WORDS == 2
// Does the same as vkp_less64(), step by step, as compilers make branches of longer terms of && and
// ||.
bool is_less(uvec2 a, uvec2 b) {
  const bool high = a.y < b.y, same = a.y == b.y, low = a.x < b.x;
  const bool by_low = same && low;
  return high || by_low;
}
#else
bool is_less(uint a, uint b) { return a < b; }
#endif

#if COUNTED
bool has_head(Window x) { return (x.count.y & 0x80000000u) != 0u; }
uvec2 count_without_head(Window x) { return uvec2(x.count.x, x.count.y & 0x7fffffffu); }
#if COUNT_IS_F64
const uvec2 ONE_ELEMENT = uvec2(0u, 0x3ff00000u);
uvec2 elements_of(const Window x) {
  const double n = packDouble2x32(count_without_head(x));
  const uint high = uint(n * (1.0LF / 4294967296.0LF));
  return uvec2(uint(n - double(high) * 4294967296.0LF), high);
}
#else
const uvec2 ONE_ELEMENT = uvec2(1u, 0u);
uvec2 elements_of(const Window x) { return count_without_head(x); }
#endif
#endif

#if FLOATING
VALUE number(uvec2 n) { return VALUE(n.y) * VALUE(4294967296.0) + VALUE(n.x); }
#endif

#if VARIANCE
VALUE number_of(const Window x) {
#if COUNT_IS_F64
  return packDouble2x32(count_without_head(x));
#else
  return number(elements_of(x));
#endif
}

// Returns 1 / n, of which the last bit may be wrong. In f64 two steps of Newton's make it of the
// reciprocal in f32; a division takes several times as many instructions.
VALUE reciprocal_of(const VALUE n) {
#if VALUE_WORDS == 1
  return 1.0 / n;
#else
  double y = double(1.0 / float(n));
  y = fma(y, fma(-n, y, 1.0LF), y);
  return fma(y, fma(-n, y, 1.0LF), y);
#endif
}
#endif

// Combines two runs without regard to heads.
Window combine_runs(Window left, Window right) {
  Window x;
#if OWN
  x.value = combine_values(left.value, right.value);
#elif VARIANCE
  // An empty run has no mean, so what is computed with it is not used.
  const VALUE a = number_of(left), b = number_of(right);
  const VALUE both = a + b;
  const VALUE share = b * reciprocal_of(both);
  const VALUE apart = right.value - left.value;
  x.value = left.value + apart * share;
  x.squares = left.squares + right.squares + apart * apart * (a * share);
  const bool no_left = a == VALUE(0), no_right = b == VALUE(0);
  x.value = no_left ? right.value : x.value;
  x.squares = no_left ? right.squares : x.squares;
  x.value = no_right ? left.value : x.value;
  x.squares = no_right ? left.squares : x.squares;
#elif ARG
  const bool smaller = is_less(right.value, left.value);
  const bool only = left.index.y == 0xffffffffu;
  const bool right_first = smaller || only;
  x = left;
  if (right_first) x = right;
#elif FLOATING
  precise const VALUE sum = left.value + right.value;
  x.value = sum;
#elif VALUE_WORDS == 1
  x.value = sums ? left.value + right.value : min(left.value, right.value);
#else
  if (sums) {
    x.value = vkp_add64(left.value, right.value);
  } else {
    const bool less = is_less(left.value, right.value);
    x.value = uvec2(less ? left.value.x : right.value.x, less ? left.value.y : right.value.y);
  }
#endif
#if OWN
  x.count = uvec2(0u);
  if (counts) x.count = vkp_add64(left.count, right.count);
#elif COUNTED && COUNT_IS_F64
  x.count = unpackDouble2x32(both);
  x.count.y |= (left.count.y | right.count.y) & 0x80000000u;
#elif COUNTED
  x.count = vkp_add64(left.count, right.count);
#endif
  return x;
}

Window vkp_combine(Window left, Window right) {
#if COUNTED
  if (groups_left && has_head(right)) return right;
  if (groups_right && has_head(left)) return left;
#endif
  return combine_runs(left, right);
}

#endif

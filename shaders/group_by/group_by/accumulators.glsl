// The monoids that aggregate the rows of a group. Each family computes the results of one column
// that share a pass over its rows:
//   stats               count; sum of integers and f32; min; max
//   places              arg_min; arg_max; first; last
//   distinct            number of values, of rows that are sorted by value within each group
//   moments, moments64  sum of f64; mean; variance; in pairs of f32, or in f64
// The results are in the order of result0 … result3 in GroupByReducePush. One or two sets of bits,
// valid0 and valid1, say which groups have a result. For stats there is one, for min and max; for
// places the first is for arg_min and arg_max, the second for first and last; for moments the first
// is for the mean, the second for the variance.
//
// VKP_T row_of(BITS bits, uint row) returns what a single row contributes; store_result() stores
// the results of a group.
#ifndef GROUP_BY_ACCUMULATORS_GLSL
#define GROUP_BY_ACCUMULATORS_GLSL

#include "group_by/group_by/column.glsl"
#include "group_by/group_by/pairs.glsl"

layout(push_constant) uniform Push { GroupByReducePush push; };

const uint NO_ROW = 0xffffffffu;

uvec2 result_address(const uint i) {
  if (i == 0u) return vkp_u64(push.result0);
  if (i == 1u) return vkp_u64(push.result1);
  return i == 2u ? vkp_u64(push.result2) : vkp_u64(push.result3);
}

void store_key(const uint i, const uint group, const VKP_KEY key) {
  const uvec2 out_base = result_address(i);
  if (out_base != uvec2(0u)) store_bits(out_base, group, vkp_key_bits(key));
}
void store_number(uint i, uint group, uint x) {
  if (result_address(i) != uvec2(0u)) store_word(result_address(i), group, x);
}
void store_wide(const uint i, const uint group, const uvec2 x) {
  const uvec2 out_base = result_address(i);
  if (out_base != uvec2(0u)) VkpWords2(vkp_add64(out_base, vkp_mul64(group, 8u))).v[0] = x;
}

// Clears the bit of a group that has no such result.
void note_result(const uint which, const uint group, const bool exists) {
  const uvec2 bits = which == 0u ? vkp_u64(push.valid0) : vkp_u64(push.valid1);
  if (exists || bits == uvec2(0u)) return;
  VkpSharedWords words = VkpSharedWords(vkp_add64(bits, vkp_mul64(group / 32u, 4u)));
  atomicAnd(words.v[0], ~(1u << group % 32u), gl_ScopeQueueFamily, 0, 0);
}

// The keys of the greatest and the least element; for floats, these are the keys of the infinities.
#if VKP_KEY_WORDS == 1
const VKP_KEY GREATEST = vkp_key_is_float ? 0xff800000u : 0xffffffffu;
VKP_KEY least() { return ~GREATEST; }
#define KEY_WORDS_OF(key, w, at) w[at] = (key)
#define KEY_OF_WORDS(w, at) w[at]
#else
const VKP_KEY GREATEST =
    uvec2(vkp_key_is_float ? 0u : 0xffffffffu, vkp_key_is_float ? 0xfff00000u : 0xffffffffu);
VKP_KEY least() { return ~GREATEST; }
#define KEY_WORDS_OF(key, w, at) { w[at] = (key).x; w[(at) + 1] = (key).y; }
#define KEY_OF_WORDS(w, at) uvec2(w[at], w[(at) + 1])
#endif

#if defined(VKP_FAMILY_stats)

struct Stats {
  uint count;
  uvec2 sum;  // for f32 a pair
  VKP_KEY low, high;
};
#define VKP_T Stats
#define VKP_WORDS (3 + 2 * VKP_KEY_WORDS)
void vkp_pack(Stats x, out uint w[VKP_WORDS]) {
  w[0] = x.count;
  w[1] = x.sum.x;
  w[2] = x.sum.y;
  KEY_WORDS_OF(x.low, w, 3);
  KEY_WORDS_OF(x.high, w, 3 + VKP_KEY_WORDS);
}
Stats vkp_unpack(uint w[VKP_WORDS]) {
  return Stats(w[0], uvec2(w[1], w[2]), KEY_OF_WORDS(w, 3), KEY_OF_WORDS(w, 3 + VKP_KEY_WORDS));
}
Stats vkp_identity() { return Stats(0u, uvec2(0u), GREATEST, least()); }
Stats vkp_combine(const Stats a, const Stats b) {
  Stats x;
  x.count = a.count + b.count;
  x.sum = vkp_key_is_float
              ? floatBitsToUint(pair_add(uintBitsToFloat(a.sum), uintBitsToFloat(b.sum)))
              : vkp_add64(a.sum, b.sum);
  x.low = a.low;
  if (vkp_key_less(b.low, a.low)) x.low = b.low;
  x.high = a.high;
  if (vkp_key_less(a.high, b.high)) x.high = b.high;
  return x;
}
Stats row_of(const BITS bits, const uint row) {
  Stats x = Stats(1u, uvec2(0u), GREATEST, least());
#if VKP_KEY_WORDS == 1
  x.sum = uvec2(bits, vkp_key_is_signed ? uint(int(bits) >> 31) : 0u);
#else
  x.sum = bits;
#endif
  if (!is_nan(bits)) x.low = x.high = vkp_key_of(bits);
  return x;
}
void store_result(uint group, Stats x) {
  store_number(0u, group, x.count);
  if (vkp_key_is_float) {
    store_number(1u, group, x.sum.x);
  } else {
    store_wide(1u, group, x.sum);
  }
  store_key(2u, group, x.low);
  store_key(3u, group, x.high);
  note_result(0u, group, !vkp_key_less(x.high, x.low));
}

#elif defined(VKP_FAMILY_places)

struct Places {
  VKP_KEY low, high;
  uint low_row, high_row, first, last;
};
#define VKP_T Places
#define VKP_WORDS (4 + 2 * VKP_KEY_WORDS)
void vkp_pack(Places x, out uint w[VKP_WORDS]) {
  w[0] = x.low_row;
  w[1] = x.high_row;
  w[2] = x.first;
  w[3] = x.last;
  KEY_WORDS_OF(x.low, w, 4);
  KEY_WORDS_OF(x.high, w, 4 + VKP_KEY_WORDS);
}
Places vkp_unpack(uint w[VKP_WORDS]) {
  return Places(KEY_OF_WORDS(w, 4), KEY_OF_WORDS(w, 4 + VKP_KEY_WORDS), w[0], w[1], w[2], w[3]);
}
Places vkp_identity() { return Places(GREATEST, least(), NO_ROW, NO_ROW, NO_ROW, NO_ROW); }
// Rows of b come later than rows of a, so on ties those of a stay.
Places vkp_combine(const Places a, const Places b) {
  Places x = a;
  if (b.low_row != NO_ROW && (a.low_row == NO_ROW || vkp_key_less(b.low, a.low))) {
    x.low = b.low;
    x.low_row = b.low_row;
  }
  if (b.high_row != NO_ROW && (a.high_row == NO_ROW || vkp_key_less(a.high, b.high))) {
    x.high = b.high;
    x.high_row = b.high_row;
  }
  if (a.first == NO_ROW) x.first = b.first;
  if (b.last != NO_ROW) x.last = b.last;
  return x;
}
Places row_of(const BITS bits, const uint row) {
  const VKP_KEY key = vkp_key_of(bits);
  const uint number = is_nan(bits) ? NO_ROW : row;
  return Places(key, key, number, number, row, row);
}
void store_value(const uint i, const uint group, const uint row) {
  const uvec2 out_base = result_address(i);
  if (out_base == uvec2(0u)) return;
  BITS bits = NO_BITS;
  if (row != NO_ROW) bits = load_bits(vkp_u64(push.column), row);
  store_bits(out_base, group, bits);
}
void store_result(uint group, Places x) {
  store_number(0u, group, x.low_row);
  store_number(1u, group, x.high_row);
  store_value(2u, group, x.first);
  store_value(3u, group, x.last);
  note_result(0u, group, x.low_row != NO_ROW);
  note_result(1u, group, x.first != NO_ROW);
}

#elif defined(VKP_FAMILY_distinct)

#define VKP_T uint
#define VKP_WORDS 1
void vkp_pack(uint x, out uint w[1]) { w[0] = x; }
uint vkp_unpack(uint w[1]) { return w[0]; }
uint vkp_identity() { return 0u; }
uint vkp_combine(const uint a, const uint b) { return a + b; }
uint row_of(const BITS bits, const uint row) { return 1u; }
void store_result(uint group, uint x) { store_number(0u, group, x); }

#else

#if defined(VKP_FAMILY_moments64)
#extension GL_ARB_gpu_shader_fp64 : enable
#define REAL double
REAL real_add(REAL a, REAL b) {
  precise const REAL sum = a + b;
  return sum;
}
REAL real_mul(REAL a, REAL b) {
  precise const REAL product = a * b;
  return product;
}
REAL real_div(const REAL a, const REAL b) { return a / b; }
REAL real_from(const uint x) { return REAL(x); }
REAL real_from(const uvec2 x) { return REAL(x.y) * 4294967296.0lf + REAL(x.x); }
REAL real_from(const float x) { return REAL(x); }
uvec2 words_of(REAL x) { return unpackDouble2x32(x); }
REAL of_words(uvec2 x) { return packDouble2x32(x); }
uvec2 real_to_f64(const REAL x) { return unpackDouble2x32(x); }
bool is_finite(REAL x) { return (unpackDouble2x32(x).y & 0x7ff00000u) != 0x7ff00000u; }
#else
#define REAL vec2
REAL real_add(REAL a, REAL b) { return pair_add(a, b); }
REAL real_mul(REAL a, REAL b) { return pair_mul(a, b); }
REAL real_div(const REAL a, const REAL b) { return pair_div(a, b); }
REAL real_from(const uint x) { return pair_from(x); }
REAL real_from(const uvec2 x) { return pair_from(x); }
REAL real_from(const float x) { return vec2(x, 0.0); }
uvec2 words_of(REAL x) { return floatBitsToUint(x); }
REAL of_words(uvec2 x) { return uintBitsToFloat(x); }
uvec2 real_to_f64(const REAL x) { return pair_to_f64(x); }
bool is_finite(REAL x) { return (floatBitsToUint(x.x) & 0x7f800000u) != 0x7f800000u; }
#endif

const bool with_variance = (flags & VKP_GROUP_BY_VARIANCE) != 0u;

struct Moments {
  uint count;
  REAL sum;      // the mean if with_variance
  REAL squares;  // sum of the squared distances from the mean
};
#define VKP_T Moments
#define VKP_WORDS 5
void vkp_pack(Moments x, out uint w[5]) {
  const uvec2 sum = words_of(x.sum);
  const uvec2 squares = words_of(x.squares);
  w = uint[5](x.count, sum.x, sum.y, squares.x, squares.y);
}
Moments vkp_unpack(uint w[5]) {
  return Moments(w[0], of_words(uvec2(w[1], w[2])), of_words(uvec2(w[3], w[4])));
}
Moments vkp_identity() { return Moments(0u, REAL(0), REAL(0)); }
// Source: T. Chan, G. Golub, R. LeVeque, "Updating formulae and a pairwise algorithm for computing
// sample variances" (1979).
Moments vkp_combine(Moments a, Moments b) {
  if (!with_variance) return Moments(a.count + b.count, real_add(a.sum, b.sum), REAL(0));
  if (b.count == 0u) return a;
  if (a.count == 0u) return b;
  const uint count = a.count + b.count;
  const REAL share = real_div(real_from(b.count), real_from(count));
  const REAL distance = real_add(b.sum, -a.sum);
  const REAL moved = real_mul(distance, share);
  Moments x;
  x.count = count;
  x.sum = real_add(a.sum, moved);
  // The distance from an infinity is not finite; the mean is then an infinity or NaN, as the sum
  // gives it.
  if (!is_finite(a.sum) || !is_finite(b.sum)) x.sum = real_add(a.sum, b.sum);
  x.squares = real_add(real_add(a.squares, b.squares),
                       real_mul(real_mul(distance, moved), real_from(a.count)));
  return x;
}
REAL value_of(const BITS bits) {
#if VKP_KEY_WORDS == 1
  if (vkp_key_is_float) return real_from(uintBitsToFloat(bits));
  if (vkp_key_is_signed && int(bits) < 0) return -real_from(0u - bits);
  return real_from(bits);
#else
#if defined(VKP_FAMILY_moments64)
  if (vkp_key_is_float) return packDouble2x32(bits);
#endif
  if (vkp_key_is_signed && int(bits.y) < 0) return -real_from(vkp_sub64(uvec2(0u), bits));
  return real_from(bits);
#endif
}
Moments row_of(const BITS bits, const uint row) { return Moments(1u, value_of(bits), REAL(0)); }
const uvec2 NAN64 = uvec2(0u, 0x7ff80000u);
void store_result(uint group, Moments x) {
  if (!with_variance) store_wide(0u, group, real_to_f64(x.sum));
  uvec2 mean = NAN64;
  if (x.count != 0u) {
    mean = real_to_f64(with_variance ? x.sum : real_div(x.sum, real_from(x.count)));
  }
  store_wide(1u, group, mean);
  note_result(0u, group, x.count != 0u);
  if (!with_variance) return;
  const uint divisor = (flags & VKP_GROUP_BY_POPULATION) != 0u ? x.count : max(x.count, 1u) - 1u;
  note_result(1u, group, divisor != 0u);
  // No distance was computed for a single NaN or infinity, so its squares are 0, but its variance
  // is NaN.
  uvec2 variance = NAN64;
  if (divisor != 0u && is_finite(x.sum)) {
    variance = real_to_f64(real_div(x.squares, real_from(divisor)));
  }
  store_wide(2u, group, variance);
}

#endif

#include "vkprims/device/segmented_reduce.glsl"

VkpSegmented pushed_work() {
  return VkpSegmented(uvec2(0u), vkp_u64(push.scratch), push.max_tiles);
}

void vkp_finish(const uvec2 group, const VKP_T total) {
  if (group.x < push.capacity) store_result(group.x, total);
}

#endif

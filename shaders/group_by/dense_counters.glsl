// The counters of group_by/dense.comp: what a workgroup has of each slot.
//
// Integer atomics, whose order does not matter, so that results are the same in each run, those of floats too:
// values become integers of 27 bits in units that follow from the largest magnitude that the workgroup has seen of the
// group so far, this tile included. Counters are for some tiles, and added to the sums of the slot when they might
// overflow, or when a value needs another unit:
//   small   rows, 13 bits (at most 4,096), and the sum of the lowest 7 bits of values, 19 bits
//   middle  the sum of the next 20 bits
//   large   of integers the sum of the highest 5 bits
// Where few slots are in use there are several copies of counters, side by side, for the banks. Extremes change rarely:
// they are read first.
#ifndef GROUP_BY_DENSE_COUNTERS_GLSL
#define GROUP_BY_DENSE_COUNTERS_GLSL

#include "group_by/dense.glsl"

layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_EXTREMES) const uint extremes = 0;

const bool is_integer = kind == VKP_GROUP_BY_UNSIGNED || kind == VKP_GROUP_BY_SIGNED;
const uint SIGN = kind == VKP_GROUP_BY_SIGNED ? 0x80000000u : 0u;
const uint BIAS = 1u << 26;  // of floats as integers

// Behind the slots in use there is one for rows that count nowhere.
const uint ROOM = slots + VKP_GROUP_BY_DENSE_MOST_COPIES;
shared uint small_parts[ROOM];
shared uint middle_parts[kind != VKP_GROUP_BY_NO_VALUES ? ROOM : 1u];
shared uint large_parts[is_integer ? ROOM : 1u];
shared uint lows[extremes != 0u ? ROOM : 1u];
shared uint highs[extremes != 0u ? ROOM : 1u];
shared float scales[is_float ? ROOM : 1u];  // of values that become integers
shared uint infinities[is_float ? slots / 8u : 1u];  // 4 bits each: NaN, +infinity, -infinity
shared uint rows_of_slot[slots];
shared uint sum_low[slots];
shared uint sum_high[slots];
// What is to be done before the rows of a tile are counted: of this tile, the one before, and the next.
shared uint verdicts[3];
const uint RESCALE = 1;  // a value needs a larger unit
const uint STOP = 2;     // somebody has met a key outside the window
const uint VERDICT_NEVER = 4;

#define LOCAL_ROWS VKP_GROUP_BY_DENSE_ROWS

const uint MOST_TILES = 16 / LOCAL_ROWS;  // that counters of one copy hold

// Slots in use, and how many copies of counters there is room for: powers of two. Which one this invocation uses.
uint used_slots, copies, own_copy;

uint value_key(uint bits) {
  if (is_float) return bits ^ (uint(int(bits) >> 31) | 0x80000000u);
  return bits ^ SIGN;
}
bool is_special(uint bits) { return is_float && (bits & 0x7f800000u) == 0x7f800000u; }
bool is_nan(uint bits) { return is_float && (bits & 0x7fffffffu) > 0x7f800000u; }

float power_of_two(int exponent) { return uintBitsToFloat(uint(exponent + 127) << 23); }
// The exponent of a power of two above a value, if that is finite, but not below 2^-100.
int exponent_of(uint bits) { return clamp(int(bits >> 23 & 0xffu) - 126, -100, 128); }
// … above all finite values whose keys lie between two.
int exponent_of(uint low, uint high) {
  const uint a = ((low & 0x80000000u) != 0u ? low : ~low) & 0x7fffffffu;
  const uint b = ((high & 0x80000000u) != 0u ? high : ~high) & 0x7fffffffu;
  return exponent_of(max(a, b));
}
// Values below 2 to the exponent become integers of 27 bits, and the other way round.
float scale_of(int exponent) { return power_of_two(26 - exponent); }
int exponent_of(float scale) { return 26 + 127 - int(floatBitsToUint(scale) >> 23); }

// 1 / scale, for powers of two.
float unit_of(float scale) { return uintBitsToFloat(254u * 0x800000u - floatBitsToUint(scale)); }

uint copy_of(uint slot) { return slot * copies + own_copy; }

// Extremes seldom grow: one test for both.
void widen(uint slot, uint bits, uint turn) {
  const uint key = value_key(bits);
  const uint at = copy_of(slot);
  const uint less = uint(key < atomicLoad(lows[at], gl_ScopeWorkgroup, 0, 0));
  const uint more = uint(key > atomicLoad(highs[at], gl_ScopeWorkgroup, 0, 0));
  uint grows = less | more;
  if (is_nan(bits)) grows = 0u;
  if (grows != 0u) {
    atomicMin(lows[at], key, gl_ScopeWorkgroup, 0, 0);
    atomicMax(highs[at], key, gl_ScopeWorkgroup, 0, 0);
    if (is_float && exponent_of(bits) > exponent_of(scales[at])) {
      atomicOr(verdicts[turn], RESCALE, gl_ScopeWorkgroup, 0, 0);
    }
  }
}

// Of all copies.
uvec2 extremes_of(uint slot) {
  uvec2 x = uvec2(GREATEST, ~GREATEST);
  [[dont_unroll]] for (uint c = 0u; c < copies; ++c) {
    const uint at = slot * copies + ((c + gl_LocalInvocationIndex) & (copies - 1u));
    x = uvec2(min(x.x, lows[at]), max(x.y, highs[at]));
  }
  return x;
}

void set_scale(uint slot) {
  const uvec2 x = extremes_of(slot);
  const float scale = scale_of(exponent_of(x.x, x.y));
  [[dont_unroll]] for (uint c = 0u; c < copies; ++c) {
    scales[slot * copies + ((c + gl_LocalInvocationIndex) & (copies - 1u))] = scale;
  }
}

void count_row(uint slot, uint bits) {
  const uint at = copy_of(slot);
  uint x = 0u;
  if (is_float) {
    int units = int(roundEven(uintBitsToFloat(bits) * scales[at]));
    if (is_special(bits)) units = 0;
    x = uint(units + int(BIAS));
  } else if (is_integer) {
    x = bits ^ SIGN;
  }
  atomicAdd(small_parts[at], 1u << 19 | (x & 0x7fu), gl_ScopeWorkgroup, 0, 0);
  if (kind != VKP_GROUP_BY_NO_VALUES) atomicAdd(middle_parts[at], x >> 7 & 0xfffffu, gl_ScopeWorkgroup, 0, 0);
  if (is_integer) atomicAdd(large_parts[at], x >> 27, gl_ScopeWorkgroup, 0, 0);
}

// Remembers infinities and NaN, which are rare.
void note_special(uint slot, uint bits) {
  if (!is_special(bits) || slot >= used_slots) return;
  const uint which = is_nan(bits) ? 1u : (bits >> 31) == 0u ? 2u : 4u;
  atomicOr(infinities[slot / 8u], which << (slot % 8u * 4u), gl_ScopeWorkgroup, 0, 0);
}

// Adds the counters to the sums of a slot, and begins anew. Called by its owner.
void flush(uint slot) {
  uint rows = 0u;
  uvec2 sum = uvec2(0u);
  [[dont_unroll]] for (uint c = 0u; c < copies; ++c) {
    const uint at = slot * copies + ((c + gl_LocalInvocationIndex) & (copies - 1u));
    const uint small = small_parts[at];
    small_parts[at] = 0u;
    rows += small >> 19;
    sum = vkp_add64(sum, small & 0x7ffffu);
    if (kind != VKP_GROUP_BY_NO_VALUES) {
      sum = vkp_add64(sum, vkp_shl64(uvec2(middle_parts[at], 0u), 7u));
      middle_parts[at] = 0u;
    }
    if (is_integer) {
      sum = vkp_add64(sum, vkp_shl64(uvec2(large_parts[at], 0u), 27u));
      large_parts[at] = 0u;
    }
  }
  if (rows == 0u) return;
  rows_of_slot[slot] += rows;
  if (is_float) {
    sum = vkp_sub64(sum, vkp_mul64(rows, BIAS));
    const bool negative = int(sum.y) < 0;
    if (negative) sum = vkp_sub64(uvec2(0u), sum);
    vec2 pair = pair_from(sum) * unit_of(scales[slot * copies]);
    if (negative) pair = -pair;
    sum = floatBitsToUint(pair);
  } else {
    sum = vkp_sub64(sum, vkp_mul64(rows, SIGN));
  }
  sum = add_sums(uvec2(sum_low[slot], sum_high[slot]), sum);
  sum_low[slot] = sum.x;
  sum_high[slot] = sum.y;
}

void clear_slots() {
  for (uint slot = gl_LocalInvocationIndex; slot < used_slots; slot += gl_WorkGroupSize.x) {
    [[dont_unroll]] for (uint c = 0u; c < copies; ++c) {
      small_parts[slot * copies + c] = 0u;
      if (kind != VKP_GROUP_BY_NO_VALUES) middle_parts[slot * copies + c] = 0u;
      if (is_integer) large_parts[slot * copies + c] = 0u;
      if (extremes != 0u) {
        lows[slot * copies + c] = GREATEST;
        highs[slot * copies + c] = ~GREATEST;
      }
      if (is_float) scales[slot * copies + c] = scale_of(-100);
    }
    if (is_float && slot < slots / 8u) infinities[slot] = 0u;
    rows_of_slot[slot] = sum_low[slot] = sum_high[slot] = 0u;
  }
  if (is_float && gl_LocalInvocationIndex < copies) scales[slots + gl_LocalInvocationIndex] = scale_of(128);
  if (gl_LocalInvocationIndex < 3u) verdicts[gl_LocalInvocationIndex] = 0u;
  barrier();
}

#endif

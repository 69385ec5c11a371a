// The counters of group_by/dense.comp: what a workgroup has of each slot.
//
// Integer atomics, whose order does not matter, so that results are the same in each run, those of floats too:
// values become integers of 27 bits in units that follow from the largest magnitude that the workgroup has seen of the
// group. Counters are for some tiles, and added to the sums of the slot when they might overflow, or when a value needs
// another unit:
//   small   rows, 13 bits (at most 4,096), and the sum of the lowest 7 bits of values, 19 bits
//   middle  the sum of the next 20 bits
//   large   of integers the sum of the highest 5 bits
// What limits the kernel are accesses to shared memory, so that a row has as few as can be: a word that says which
// values are not below the least and not above the greatest of the slot, roughly, and therefore finite and of a
// magnitude for which the unit is large enough; the unit; and two counters. Where few slots are in use there are several
// copies of these, side by side, for the banks.
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
shared uint inner[extremes != 0u ? ROOM : 1u];  // values that change nothing but sums: see is_inner()
shared float scales[is_float ? ROOM : 1u];      // of values that become integers
shared uint lows[extremes != 0u ? slots : 1u];
shared uint highs[extremes != 0u ? slots : 1u];
shared uint infinities[is_float ? slots / 8u : 1u];  // 4 bits each: NaN, +infinity, -infinity
shared uint rows_of_slot[slots];
shared uint sum_low[slots];
shared uint sum_high[slots];
// What is to be done after a tile: of this tile, the one before, and the next.
shared uint verdicts[3];
const uint LATER = 1;  // a value needs a larger unit
const uint STOP = 2;   // somebody has met a key outside the window

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

// In the order of the values, not strictly, with most of what tells them apart in the upper half: a float's bits.
uint code_of(uint bits) {
  if (is_float) return value_key(bits);
  if (kind == VKP_GROUP_BY_UNSIGNED) return floatBitsToUint(float(bits)) | 0x80000000u;
  const uint x = floatBitsToUint(float(int(bits)));
  return x ^ (uint(int(x) >> 31) | 0x80000000u);
}

// Whether a value is surely not below the least and not above the greatest, and finite: its code is compared with
// those of the nearest values outside, of which `inner` has the upper halves.
bool is_inner(uint at, uint bits) {
  const uint bounds = inner[at];
  const uint code = code_of(bits);
  const uint below = uint(code < bounds << 16);
  const uint above = uint(code > (bounds & 0xffff0000u));
  return (below | above) == 0u;
}

uint inner_of(uint low, uint high) {
  if (is_float) {
    low = max(low, ~GREATEST + 1u);
    high = min(high, GREATEST - 1u);
  }
  // The key of a value is its bits but for floats, whose code is the key.
  const uint below = is_float ? low - 1u : code_of((low - 1u) ^ SIGN);
  const uint above = is_float ? high + 1u : code_of((high + 1u) ^ SIGN);
  const uint least = low == 0u ? 0u : (below >> 16) + 1u;
  const uint most = high == ~0u ? 0xffffu : (above + 0xffffu >> 16) - 1u;
  return least | most << 16;
}

// After a flush.
void set_limits(uint slot) {
  if (extremes == 0u) return;
  const uint low = lows[slot];
  const uint high = highs[slot];
  const uint x = inner_of(low, high);
  const float scale = scale_of(low > high ? -100 : exponent_of(low, high));
  [[dont_unroll]] for (uint c = 0u; c < copies; ++c) {
    const uint at = slot * copies + ((c + gl_LocalInvocationIndex) & (copies - 1u));
    inner[at] = x;
    if (is_float) scales[at] = scale;
  }
}

void count_row(uint at, uint bits) {
  uint x = 0u;
  if (is_float) x = uint(int(roundEven(uintBitsToFloat(bits) * scales[at])) + int(BIAS));
  if (is_integer) x = bits ^ SIGN;
  atomicAdd(small_parts[at], 1u << 19 | (x & 0x7fu), gl_ScopeWorkgroup, 0, 0);
  if (kind != VKP_GROUP_BY_NO_VALUES) atomicAdd(middle_parts[at], x >> 7 & 0xfffffu, gl_ScopeWorkgroup, 0, 0);
  if (is_integer) atomicAdd(large_parts[at], x >> 27, gl_ScopeWorkgroup, 0, 0);
}

// Remembers an infinity or NaN.
void note_special(uint slot, uint bits) {
  const uint which = (is_nan(bits) ? 1u : (bits >> 31) == 0u ? 2u : 4u) << (slot % 8u * 4u);
  if ((atomicLoad(infinities[slot / 8u], gl_ScopeWorkgroup, 0, 0) & which) == 0u) {
    atomicOr(infinities[slot / 8u], which, gl_ScopeWorkgroup, 0, 0);
  }
}

// A value that is perhaps not inner: what is to be counted in its place. `later`: nothing yet.
uint meet(uint slot, uint bits, out bool later) {
  later = false;
  if (slot >= used_slots) return 0u;
  const uint key = value_key(bits);
  const uint less = uint(key < atomicLoad(lows[slot], gl_ScopeWorkgroup, 0, 0));
  const uint more = uint(key > atomicLoad(highs[slot], gl_ScopeWorkgroup, 0, 0));
  const bool nan = is_nan(bits);
  if ((less | more) != 0u && !nan) {
    atomicMin(lows[slot], key, gl_ScopeWorkgroup, 0, 0);
    atomicMax(highs[slot], key, gl_ScopeWorkgroup, 0, 0);
  }
  if (!is_float) return bits;
  if (is_special(bits)) {
    note_special(slot, bits);
    return 0u;
  }
  later = exponent_of(bits) > exponent_of(scales[copy_of(slot)]);
  return bits;
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

// Of the slots of this invocation. What was counted in them is done, and so is what counts next.
void renew_slots() {
  for (uint slot = gl_LocalInvocationIndex; slot < used_slots; slot += gl_WorkGroupSize.x) {
    flush(slot);
    set_limits(slot);
  }
  barrier();
}

void clear_slots() {
  for (uint slot = gl_LocalInvocationIndex; slot < used_slots; slot += gl_WorkGroupSize.x) {
    [[dont_unroll]] for (uint c = 0u; c < copies; ++c) {
      small_parts[slot * copies + c] = 0u;
      if (kind != VKP_GROUP_BY_NO_VALUES) middle_parts[slot * copies + c] = 0u;
      if (is_integer) large_parts[slot * copies + c] = 0u;
    }
    if (extremes != 0u) {
      lows[slot] = GREATEST;
      highs[slot] = ~GREATEST;
    }
    if (is_float && slot < slots / 8u) infinities[slot] = 0u;
    rows_of_slot[slot] = sum_low[slot] = sum_high[slot] = 0u;
    set_limits(slot);
  }
  if (gl_LocalInvocationIndex < copies) {
    const uint at = slots + gl_LocalInvocationIndex;
    if (extremes != 0u) inner[at] = 0xffff0000u;
    if (is_float) scales[at] = scale_of(128);
  }
  if (gl_LocalInvocationIndex < 3u) verdicts[gl_LocalInvocationIndex] = 0u;
  barrier();
}

#endif

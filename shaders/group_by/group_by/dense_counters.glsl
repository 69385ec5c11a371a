// The counters of group_by/dense.comp: the aggregates of each slot in a workgroup's shared memory.
//
// All counting is by integer atomics, whose order does not matter, so the results are the same in
// each run. This holds for floats, too: values become integers of 27 bits, in a unit that follows
// from the largest magnitude that the workgroup has seen in the group. Counters hold the rows of
// some tiles. They are added to the sums of the slot when they might overflow, or when a value
// needs a larger unit:
//   small   rows in 13 bits (at most 4,096), and the sum of the lowest 7 bits of values in 19 bits
//   middle  the sum of the next 20 bits
//   large   for integers, the sum of the highest 5 bits
// Accesses to shared memory limit the kernel, so a row needs as few as possible: two limits, and
// two counters (three for integers). A value between the limits changes nothing except sums, and
// the unit follows from the limits. Values outside the limits of their slot are looked at
// afterwards: they are few. Where few slots are in use, there are several copies of limits and
// counters, side by side, to avoid bank conflicts.
#ifndef GROUP_BY_DENSE_COUNTERS_GLSL
#define GROUP_BY_DENSE_COUNTERS_GLSL

#include "group_by/group_by/dense.glsl"

layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_EXTREMES) const uint extremes = 0;

const bool is_integer = kind == VKP_GROUP_BY_UNSIGNED || kind == VKP_GROUP_BY_SIGNED;
const uint SIGN = kind == VKP_GROUP_BY_SIGNED ? 0x80000000u : 0u;
const uint BIAS = 1u << 26;  // makes floats, as integers, unsigned

// Behind the slots in use there is one more, for rows that count nowhere.
const uint ROOM = slots + VKP_GROUP_BY_DENSE_MOST_COPIES;
shared uint small_parts[ROOM];
shared uint middle_parts[kind != VKP_GROUP_BY_NO_VALUES ? ROOM : 1u];
shared uint large_parts[is_integer ? ROOM : 1u];
// The number of the greatest value, and ~ of the number of the least: see number_of().
shared ivec2 limits[extremes != 0u ? ROOM : 1u];
// Each copy of a slot has its own sums; all copies together are as many as the slots that there is
// room for.
shared uint rows_counted[slots];
shared uint sum_low[slots];
shared uint sum_high[slots];
// These belong to slots, not to their copies.
shared uint lows[extremes != 0u ? slots : 1u];  // extremes, as keys
shared uint highs[extremes != 0u ? slots : 1u];
shared uint infinities[is_float ? slots / 8u : 1u];  // 4 bits each: NaN, +infinity, -infinity
// Says what is to be done after a tile: after this tile, the previous one, and the next.
shared uint verdicts[3];
const uint LATER = 1;  // a value needs a larger unit
const uint STOP = 2;   // somebody has met a key outside the window

#define LOCAL_ROWS VKP_GROUP_BY_DENSE_ROWS
// The rows of an invocation between two tests for full counters.
#define TURN_ROWS VKP_GROUP_BY_DENSE_TURN_ROWS

const uint COPY_ROWS = 4096;  // rows that a copy of a counter holds

// The slots in use, and how many copies of counters there is room for, both powers of two; and the
// copy that this invocation uses.
uint used_slots, copies, own_copy;

// Returns values as integers in their order. For floats, the number of a positive value is its
// bits, and that of -x is ~ of that of x.
int number_of(const uint bits) {
  if (is_float) return int(bits ^ uint(int(bits) >> 31) >> 1);
  return int(bits ^ SIGN ^ 0x80000000u);
}
uint key_of(int number) { return uint(number) ^ 0x80000000u; }
bool is_special(uint bits) { return is_float && (bits & 0x7f800000u) == 0x7f800000u; }
bool is_nan(uint bits) { return is_float && (bits & 0x7fffffffu) > 0x7f800000u; }

// Returns the exponent bits of a float, of which e stands for 2^(e - 126): a power of two above the
// magnitudes of all values between the limits, and at least 2^-100.
uint exponent_of(int most, int not_least) {
  return uint(max(max(most, not_least), 26 << 23)) & 0x7f800000u;
}
// Values become integers of 27 bits by the factor scale_of(), which is 2^26 divided by the power of
// two; unit_of() is the factor for the other way round.
float scale_of(uint exponent) { return uintBitsToFloat((26u + 127u + 126u << 23) - exponent); }
float unit_of(const uint exponent) { return uintBitsToFloat(exponent - (25u << 23)); }

uint copy_of(uint slot) { return slot * copies + own_copy; }

// Counts a row whose value does not lie outside the limits `most` and `~not_least`.
void count_row(uint at, uint bits, int most, int not_least) {
  uint x = 0u;
  if (is_float) {
    const float scaled = uintBitsToFloat(bits) * scale_of(exponent_of(most, not_least));
    x = uint(int(roundEven(scaled)) + int(BIAS));
  } else if (is_integer) {
    x = bits ^ SIGN;
  }
  atomicAdd(small_parts[at], 1u << 19 | (x & 0x7fu), gl_ScopeWorkgroup, 0, 0);
  if (kind != VKP_GROUP_BY_NO_VALUES) {
    atomicAdd(middle_parts[at], x >> 7 & 0xfffffu, gl_ScopeWorkgroup, 0, 0);
  }
  if (is_integer) atomicAdd(large_parts[at], x >> 27, gl_ScopeWorkgroup, 0, 0);
}

// Remembers an infinity or NaN.
void note_special(uint slot, uint bits) {
  const uint which = (is_nan(bits) ? 1u : (bits >> 31) == 0u ? 2u : 4u) << (slot % 8u * 4u);
  if ((atomicLoad(infinities[slot / 8u], gl_ScopeWorkgroup, 0, 0) & which) == 0u) {
    atomicOr(infinities[slot / 8u], which, gl_ScopeWorkgroup, 0, 0);
  }
}

// Looks at a row whose value lies outside the limits of its slot. Returns whether the row is
// counted; if not, the unit is too small for it. The loads are atomic because not all subgroups
// come here.
bool meet_row(uint slot, uint bits) {
  const int number = number_of(bits);
  const uint key = key_of(number);
  const uint less = uint(key < atomicLoad(lows[slot], gl_ScopeWorkgroup, 0, 0));
  const uint more = uint(key > atomicLoad(highs[slot], gl_ScopeWorkgroup, 0, 0));
  if ((less | more) != 0u && !is_nan(bits)) {
    atomicMin(lows[slot], key, gl_ScopeWorkgroup, 0, 0);
    atomicMax(highs[slot], key, gl_ScopeWorkgroup, 0, 0);
  }
  const uint at = copy_of(slot);
  const int most = atomicLoad(limits[at].x, gl_ScopeWorkgroup, 0, 0);
  const int not_least = atomicLoad(limits[at].y, gl_ScopeWorkgroup, 0, 0);
  if (is_special(bits)) {
    note_special(slot, bits);
    bits = 0u;
  } else if (is_float && exponent_of(number, ~number) > exponent_of(most, not_least)) {
    return false;
  }
  count_row(at, bits, most, not_least);
  return true;
}

// Adds a counter to its sum and resets it. The invocation that owns the counter calls this.
void flush(uint at) {
  const uint small = small_parts[at];
  const uint rows = small >> 19;
  uvec2 sum = vkp_add64(uvec2(sum_low[at], sum_high[at]), small & 0x7ffffu);
  if (kind != VKP_GROUP_BY_NO_VALUES) {
    sum = vkp_add64(sum, vkp_shl64(uvec2(middle_parts[at], 0u), 7u));
  }
  if (is_integer) sum = vkp_add64(sum, vkp_shl64(uvec2(large_parts[at], 0u), 27u));
  sum = vkp_sub64(sum, vkp_mul64(rows, is_float ? BIAS : SIGN));
  rows_counted[at] += rows;
  sum_low[at] = sum.x;
  sum_high[at] = sum.y;
  small_parts[at] = 0u;
  if (kind != VKP_GROUP_BY_NO_VALUES) middle_parts[at] = 0u;
  if (is_integer) large_parts[at] = 0u;
}

// Returns a sum in units that are 2^shift times as large, rounded.
uvec2 shift_sum(uvec2 sum, uint shift) {
  if (shift > 62u) return uvec2(0u);
  const bool negative = int(sum.y) < 0;
  if (negative) sum = vkp_sub64(uvec2(0u), sum);
  const bool by_words = shift >= 32u;
  const uint half_bit = 1u << (shift - 1u & 31u);
  sum = vkp_add64(sum, shift > 32u ? uvec2(0u, half_bit) : uvec2(half_bit, 0u));
  if (by_words) sum = uvec2(sum.y, 0u);
  sum = vkp_shr64(sum, shift & 31u);
  return negative ? vkp_sub64(uvec2(0u), sum) : sum;
}

// Sets the limits to the extremes of the slot, without infinities, and adapts the sum to the new
// unit.
void set_limits(uint at) {
  uint low = lows[at / copies];
  uint high = highs[at / copies];
  if (is_float) {
    low = max(low, ~GREATEST + 1u);
    high = min(high, GREATEST - 1u);
  }
  const ivec2 wider = ivec2(high ^ 0x80000000u, ~low ^ 0x80000000u);
  const uint exponent = exponent_of(wider.x, wider.y);
  const uint before = exponent_of(limits[at].x, limits[at].y);
  if (is_float && exponent > before) {
    const uvec2 sum = shift_sum(uvec2(sum_low[at], sum_high[at]), exponent - before >> 23);
    sum_low[at] = sum.x;
    sum_high[at] = sum.y;
  }
  limits[at] = wider;
}

// Adds everything counted to the sums, and sets the limits to the extremes of the rows so far.
void renew() {
  for (uint at = gl_LocalInvocationIndex; at < slots; at += gl_WorkGroupSize.x) {
    flush(at);
    if (extremes != 0u) set_limits(at);
  }
  barrier();
}

void clear() {
  const ivec2 none = ivec2(0x80000000u, 0x80000000u);
  for (uint at = gl_LocalInvocationIndex; at < slots; at += gl_WorkGroupSize.x) {
    small_parts[at] = 0u;
    if (kind != VKP_GROUP_BY_NO_VALUES) middle_parts[at] = 0u;
    if (is_integer) large_parts[at] = 0u;
    rows_counted[at] = sum_low[at] = sum_high[at] = 0u;
    if (extremes != 0u) {
      limits[at] = none;
      lows[at] = GREATEST;
      highs[at] = ~GREATEST;
    }
    if (is_float) infinities[at / 8u] = 0u;
  }
  if (extremes != 0u && gl_LocalInvocationIndex < copies) {
    limits[slots + gl_LocalInvocationIndex] = ~none;
  }
  if (gl_LocalInvocationIndex < 3u) verdicts[gl_LocalInvocationIndex] = 0u;
  barrier();
}

// Converts a sum in units to a pair of f32.
uvec2 pair_of_sum(uvec2 sum, ivec2 both) {
  const bool negative = int(sum.y) < 0;
  if (negative) sum = vkp_sub64(uvec2(0u), sum);
  const vec2 pair = pair_from(sum) * unit_of(exponent_of(both.x, both.y));
  return floatBitsToUint(negative ? -pair : pair);
}

// Returns all that the workgroup has of a slot. All invocations do the same, for lavapipe: see
// vkprims/README.md.
Slot slot_result(uint slot) {
  const uint used = min(slot, used_slots - 1u);
  Slot x = no_slot();
  [[dont_unroll]] for (uint c = 0u; c < copies; ++c) {
    const uint at = used * copies + c;
    x.rows += rows_counted[at];
    x.sum = vkp_add64(x.sum, uvec2(sum_low[at], sum_high[at]));
  }
  if (extremes != 0u) {
    x.low = lows[used];
    x.high = highs[used];
  }
  if (is_float) {
    x.sum = pair_of_sum(x.sum, limits[used * copies]);
    const uint which = infinities[used / 8u] >> (used % 8u * 4u) & 7u;
    if (which != 0u) {
      x.sum = uvec2(which == 2u ? 0x7f800000u : which == 4u ? 0xff800000u : 0x7fc00000u, 0u);
    }
  }
  if (slot >= used_slots) x = no_slot();
  return x;
}

#endif

// Sums, minima, maxima and counts by key where all keys lie in a window: each workgroup has a contiguous part of the
// rows and a slot for each key in shared memory. A key outside makes all workgroups stop; then the rows are sorted.
// With a bound that the caller has given it is left out.
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
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/dense.glsl"

layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_EXTREMES) const uint extremes = 0;
layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_ALIGNED) const uint aligned = 0;
layout(push_constant) uniform Push { GroupByDensePush push; };

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

// The rows of this invocation in a tile: four neighbours each time.
uint row_in_tile(uint i) { return (i / 4u * gl_WorkGroupSize.x + gl_LocalInvocationIndex) * 4u + i % 4u; }

void load_rows(uvec2 column, uint count, out uint x[LOCAL_ROWS]) {
  if (aligned != 0u && count == gl_WorkGroupSize.x * LOCAL_ROWS) {
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; i += 4u) {
      const uvec4 four = VkpWords4(column).v[row_in_tile(i) / 4u];
      [[unroll]] for (uint k = 0u; k < 4u; ++k) x[i + k] = four[k];
    }
  } else {
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) {
      x[i] = 0u;
      if (row_in_tile(i) < count) x[i] = VkpWords(column).v[row_in_tile(i)];
    }
  }
}

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

void store_slots(uint group) {
  for (uint slot = gl_LocalInvocationIndex; slot < slots; slot += gl_WorkGroupSize.x) {
    Slot x = no_slot();
    if (slot < used_slots) {
      x.rows = rows_of_slot[slot];
      x.sum = uvec2(sum_low[slot], sum_high[slot]);
    }
    if (extremes != 0u && slot < used_slots) {
      const uvec2 both = extremes_of(slot);
      x.low = both.x;
      x.high = both.y;
    }
    if (is_float && slot < used_slots) {
      const uint which = infinities[slot / 8u] >> (slot % 8u * 4u) & 7u;
      if (which == 2u) x.sum = uvec2(0x7f800000u, 0u);
      if (which == 4u) x.sum = uvec2(0xff800000u, 0u);
      if ((which & 1u) != 0u || which == 6u) x.sum = uvec2(0x7fc00000u, 0u);
    }
    store_slot(vkp_add64(vkp_u64(push.partials), vkp_mul64(group, 4u * slots)), push.groups * slots, slot, x);
  }
}

void main() {
  const uint rows = vkp_read_count(push.rows).x;
  const uint group = vkp_group_index();
  if (rows == 0u || group >= push.groups) return;
  used_slots = header_word(vkp_u64(push.header), VKP_GROUP_BY_SLOTS_OFFSET);
  copies = slots / used_slots;
  own_copy = gl_LocalInvocationIndex & (copies - 1u);
  const uint tile_rows = gl_WorkGroupSize.x * LOCAL_ROWS;
  const uint tiles = (rows - 1u) / tile_rows + 1u;
  const uint each = (tiles - 1u) / push.groups + 1u;
  const uint begin = min(group * each, tiles);
  const uint end = min(begin + each, tiles);
  VkpSharedWords missed = VkpSharedWords(vkp_add64(vkp_u64(push.header), VKP_GROUP_BY_MISSED_OFFSET));
  const uint window = header_word(vkp_u64(push.header), VKP_GROUP_BY_WINDOW_OFFSET);
  clear_slots();
  uint turn = 0u;
  uint tiles_counted = 0u;  // since the counters were added to sums
  for (uint tile = begin; tile < end; ++tile) {
    const uvec2 offset = vkp_mul64(tile, 4u * tile_rows);
    const uint count = min(rows - tile * tile_rows, tile_rows);
    uint met = 0u;  // asked for early: the answer takes a while
    if (gl_LocalInvocationIndex == 0u && push.bound == 0u) met = atomicLoad(missed.v[0], gl_ScopeQueueFamily, 0, 0);
    uint slot[LOCAL_ROWS];
    load_rows(vkp_add64(vkp_u64(push.keys), offset), count, slot);
    uint bits[LOCAL_ROWS];
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) bits[i] = 0u;
    if (kind != VKP_GROUP_BY_NO_VALUES) load_rows(vkp_add64(vkp_u64(push.values), offset), count, bits);
    const bool whole = count == tile_rows;
    uint farthest = 0u;
    uint specials = 0u;
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) {
      slot[i] = (slot[i] ^ push.flip) - window;
      if (!whole && row_in_tile(i) >= count) {
        slot[i] = used_slots;
      } else {
        farthest = max(farthest, slot[i]);
        slot[i] = min(slot[i], used_slots);
      }
      specials |= uint(is_special(bits[i]));
      if (extremes != 0u) widen(slot[i], bits[i], turn);
    }
    // Neither slots nor values are kept in registers until the rows are counted: more workgroups fit a processor then.
    uint packed[LOCAL_ROWS / 2];  // two slots in a word
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; i += 2u) packed[i / 2u] = slot[i] | slot[i + 1u] << 16;
    const bool outside = farthest >= used_slots;
    if (outside && push.bound == 0u) atomicOr(missed.v[0], 1u, gl_ScopeQueueFamily, 0, 0);
    // The verdict on the tile before the last one has been read by all, and that on the next has not begun.
    const uint next = turn == 2u ? 0u : turn + 1u;
    if (gl_LocalInvocationIndex == 0u) {
      if (met != 0u) atomicOr(verdicts[turn], STOP, gl_ScopeWorkgroup, 0, 0);
      verdicts[next] = 0u;
    }
    barrier();
    const uint verdict = verdicts[turn];
    if ((verdict & STOP) != 0u) break;
    if ((verdict & RESCALE) != 0u || tiles_counted == MOST_TILES * copies) {
      for (uint s = gl_LocalInvocationIndex; s < used_slots; s += gl_WorkGroupSize.x) {
        flush(s);
        if (is_float) set_scale(s);
      }
      tiles_counted = 0u;
      barrier();
    }
    ++tiles_counted;
    turn = next;
    // (That the address is the same as before is not for the compiler to see.)
    const uvec2 again = vkp_add64(offset, verdict & VERDICT_NEVER);
    if (kind != VKP_GROUP_BY_NO_VALUES) load_rows(vkp_add64(vkp_u64(push.values), again), count, bits);
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) {
      slot[i] = bitfieldExtract(packed[i / 2u], int(16u * (i % 2u)), 16);
      count_row(slot[i], bits[i]);
    }
    if (is_float && specials != 0u) {
      [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) note_special(slot[i], bits[i]);
    }
  }
  barrier();
  for (uint s = gl_LocalInvocationIndex; s < used_slots; s += gl_WorkGroupSize.x) flush(s);
  barrier();
  store_slots(group);
}

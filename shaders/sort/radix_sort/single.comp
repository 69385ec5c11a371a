// Sorts everything with one workgroup, where it holds all keys at once: all passes run in shared
// memory.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
// %VARIANT% KEY word|pair
// %VARIANT% ROWS 4|8
#include "rank.glsl"

// Does what scan_counters() does, with the counts in registers, as waiting for one after the other
// would take most of the time of a small sort.
void place_counters() {
  uint counts[subgroups];
  uint count = 0u;
  [[unroll]] for (uint s = 0u; s < subgroups; ++s) {
    counts[s] = 0u;
    if (invocation() < BINS) counts[s] = pool[s * BINS + invocation()];
    count += counts[s];
  }
  uint first = count_before_digit(count);
  [[unroll]] for (uint s = 0u; s < subgroups; ++s) {
    if (invocation() < BINS) pool[s * BINS + invocation()] = first;
    first += counts[s];
  }
}

void main() {
  if (vkp_group_index() != 0u) return;
  const uint count = vkp_read_count(push.count).x;
  if (count == 0u) return;
  const bool make = (push.flags & VKP_RADIX_MAKE_INDICES) != 0u;
  VKP_KEY key[ROWS];
  uvec2 value[ROWS];
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint place = place_of_row(r);
    const bool live = place < count;
    key[r] = last_bits();  // what lies behind the last key stays there
    value[r] = uvec2(place, 0u);
    if (live) key[r] = load_bits(vkp_u64(push.keys_in), place);
    if (value_words != 0u && live && !make) value[r] = value_at(vkp_u64(push.values_in), place);
  }
  for (uint p = 0u; p < push.passes; ++p) {
    const Digits digits = digits_of_pass(p);
    barrier();
    clear_counters();
    uint rank[ROWS];  // among the keys of the digit that the subgroup has
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      const uint digit = digit_of(key[r], digits);
      rank[r] = masked ? rank_row(digit, BY_MASKS) : rank_row(digit, BY_BALLOTS);
    }
    barrier();
    place_counters();
    barrier();
    Ranks ranks;
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      const uint place = rank[r] + pool[gl_SubgroupID * BINS + digit_of(key[r], digits)];
      set_rank(ranks, r, place);
    }
    exchange_keys(key, ranks);
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) key[r] = exchanged_key(place_of_row(r));
    exchange_values(value, ranks, true);
  }
  vkp_buffer_barrier();  // for a sort in place: all has been read
  const bool drop = (push.flags & VKP_RADIX_DROP_KEYS) != 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint place = place_of_row(r);
    if (place < count && !drop) store_bits(vkp_u64(push.keys_out), place, key[r]);
    if (place < count && value_words != 0u) set_value(vkp_u64(push.values_out), place, value[r]);
  }
}

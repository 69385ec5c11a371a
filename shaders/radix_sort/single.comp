// The whole sort by one workgroup, for as many keys as it holds at once: all passes in shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
// %VARIANT% KEY word|pair
// %VARIANT% ROWS 4|8
#include "rank.glsl"

// Puts the values into the order of their keys: each invocation has those of its places then.
void exchange_values(inout uvec2 value[ROWS], uint rank[ROWS]) {
  [[unroll]] for (uint w = 0u; w < 2u; ++w) {
    if (w < value_words) {
      barrier();
      [[unroll]] for (uint r = 0u; r < ROWS; ++r) pool[rank[r]] = value[r][w];
      barrier();
      [[unroll]] for (uint r = 0u; r < ROWS; ++r) value[r][w] = pool[place_of_row(r)];
    }
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
    key[r] = VKP_KEY(0u);
    value[r] = uvec2(place, 0u);
    if (live) key[r] = load_bits(vkp_u64(push.keys[0]), place);
    if (value_words != 0u && live && !make) value[r] = value_at(vkp_u64(push.values[0]), place);
  }
  for (uint p = 0u; p < push.passes; ++p) {
    const Digits digits = digits_of_pass(p);
    uint digit[ROWS];
    uint rank[ROWS];
    // What lies behind the last key stays there.
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      digit[r] = place_of_row(r) < count ? digit_of(key[r], digits) : BINS - 1u;
    }
    barrier();
    clear_counters();
    rank_in_subgroup(digit, rank);
    barrier();
    scan_counters(count_before_digit(count_of_digit()));
    barrier();
    rank_in_tile(digit, rank);
    exchange_keys(key, rank);
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) key[r] = exchanged_key(place_of_row(r));
    exchange_values(value, rank);
  }
  vkp_buffer_barrier();  // in place: all has been read
  const bool drop = (push.flags & VKP_RADIX_DROP_KEYS) != 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint place = place_of_row(r);
    if (place < count && !drop) store_bits(vkp_u64(push.keys[1]), place, key[r]);
    if (place < count && value_words != 0u) set_value(vkp_u64(push.values[1]), place, value[r]);
  }
}

// A pass of the radix sort: a workgroup ranks the keys of its tile by one digit, learns how many
// keys of each digit come before the tile, and moves the keys and their values to where they go.
// This is the single sweep over the data of A. Adinets, D. Merrill, "Onesweep" (2022), with a
// look-back that never waits for ever (look_back.glsl).
//
// The keys are first put into the order of their digit in shared memory, so that neighbouring
// invocations have keys of the same digit, which lie side by side in memory.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
// %VARIANT% KEY word|pair
// %VARIANT% ROWS 4|8|12|20|23
#include "rank.glsl"
#include "look_back.glsl"

// For each digit, the element to which the key at place 0 of the tile would go.
shared uint target_low[BINS];
shared uint target_high[wide ? BINS : 1u];

// Returns the element, from `base` on, to which a key of the digit goes from its place in the tile.
// Where there are many keys (`wide`), the base moves instead, because the offset of an indexed
// element is a number of 32 bits.
uint target_of(uint digit, uint place, uint bytes, inout uvec2 base) {
  if (!wide) return target_low[digit] + place;
  base = vkp_add64(
      base, vkp_mul64(vkp_add64(uvec2(target_low[digit], target_high[digit]), place), bytes));
  return 0u;
}

// Digits are needed twice, but should not stay in registers, which are scarce, in between. So the
// compiler must not see that they are the same. The same holds for the numbers that keys are
// ordered by, unless there are no more workgroups than fit anyway.
const bool spares_registers = (spec_flags & VKP_RADIX_SPARES_REGISTERS) != 0u;
shared uint hidden_shift, hidden_zero;

void main() {
  const uint plan = VkpWords(plan_address()).v[push.pass];
  if ((plan & VKP_RADIX_PLAN_RUNS) == 0u) return;
  const uint portion_items = push.portion_tiles * TILE;
  const uvec2 portion_first = vkp_mul64(push.portion, portion_items);
  const uint items =
      vkp_clamped_difference(vkp_read_count(push.count), portion_first, portion_items);
  const uint tiles = (items + TILE - 1u) / TILE;
  const VkpLookback l = VkpLookback(vkp_add64(
      bins_of(push.passes, 0u),
      vkp_mul64(push.pass * push.portions + push.portion, VKP_LOOKBACK_HEADER_BYTES)));
  const uint tile = vkp_take_tile(l, tiles);
  if (tile == VKP_NO_TILE) return;
  const uint valid = min(items - tile * TILE, TILE);
  const uint from = plan & VKP_RADIX_PLAN_FROM;
  const uint to = (plan & VKP_RADIX_PLAN_TO) >> 2;
  const Digits digits = digits_of_pass(push.pass);
  const uvec2 portion_keys = vkp_add64(keys_at(from), vkp_mul64(portion_first, VKP_KEY_BYTES));
  const uvec2 keys = vkp_add64(portion_keys, vkp_mul64(tile, TILE * VKP_KEY_BYTES));

  VKP_KEY key[ROWS];
  if (valid == TILE) {
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) key[r] = load_bits(keys, place_of_row(r));
  } else {
    // What lies behind the last key is ranked behind it.
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      key[r] = last_bits();
      if (place_of_row(r) < valid) key[r] = load_bits(keys, place_of_row(r));
    }
  }
  clear_counters();
  if (gl_LocalInvocationIndex == 0u) {
    blocked = 0u;
    most_keys = 0u;
    hidden_shift = digits.shift;
    hidden_zero = 0u;
  }
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) count_digit(digit_of(key[r], digits));
  barrier();
  const uint d = invocation();
  uint count = count_of_digit();
  uint counted = count;
  if (d == digits.mask) counted -= TILE - valid;
  const States s = states_of(plan);
  const bool silent = vkp_lookback_fault(VKP_LOOKBACK_SILENT, tile);
  if (!multi_pass) {
    if (vkp_lookback_fault(VKP_LOOKBACK_DELAYED, tile) && gl_LocalInvocationIndex == 0u) {
      vkp_lookback_delay(l);
    }
    if (d < BINS && !silent && tile != 0u) publish(s, tile, d, s.aggregate | counted);
  }
  find_most_keys(count);
  const uint before = count_before_digit(count);
  scan_counters(before);
  barrier();
  const Digits again = Digits(hidden_shift, digits.mask);
  const uint zero = spares_registers ? hidden_zero : 0u;
  Ranks ranks;
  // These are two loops, as a test in each turn would take as long as what it saves.
  if (are_nearly_alike()) {
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      set_rank(ranks, r, rank_row(digit_of(key[r] ^ zero, again), BY_VOTE));
    }
  } else {
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      set_rank(ranks, r, rank_row(digit_of(key[r] ^ zero, again), BY_BALLOTS));
    }
  }
  exchange_keys(key, ranks);

  const uint side = push.portion & 1u;
  uvec2 first = uvec2(0u);  // keys with a smaller digit, or in earlier portions
  if (d < BINS) first = VkpWords2(bins_of(push.pass, side)).v[d];
  const uint prefix = look_back(l, s, portion_keys, digits, tile);
  if (d < BINS) {
    if (!multi_pass && !silent) publish(s, tile, d, s.inclusive | (prefix + counted));
    first = vkp_add64(first, prefix);
    if (tile == tiles - 1u) {
      VkpWords2(bins_of(push.pass, 1u - side)).v[d] = vkp_add64(first, counted);
    }
    const uvec2 target = vkp_sub64(first, uvec2(before, 0u));
    target_low[d] = target.x;
    if (wide) target_high[d] = target.y;
  }
  barrier();

  const uvec2 keys_to = keys_at(to);
  const bool drop = (push.flags & VKP_RADIX_DROP_KEYS) != 0u && (plan & VKP_RADIX_PLAN_LAST) != 0u;
  uint sorted_digits[(ROWS + 3) / 4];  // four in a word
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint place = place_of_move(r);
    const VKP_KEY sorted = exchanged_key(place);
    const uint digit = digit_of(sorted, digits);
    sorted_digits[r / 4u] = r % 4u == 0u ? digit : sorted_digits[r / 4u] | digit << (8u * (r % 4u));
    if (!drop && place < valid) {
      uvec2 base = keys_to;
      const uint element = target_of(digit, place, VKP_KEY_BYTES, base);
      store_bits(base, element, sorted);
    }
  }
  if (value_words == 0u) return;

  const uvec2 values_to = values_at(to);
  const uint value_bytes = 4u * value_words;
  const bool make = (push.flags & VKP_RADIX_MAKE_INDICES) != 0u && from == 0u;
  const uvec2 tile_first = vkp_add64(portion_first, tile * TILE);
  const uvec2 values = vkp_add64(values_at(from), vkp_mul64(tile_first, value_bytes));
  uvec2 value[ROWS];
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint place = place_of_row(r);
    value[r] = vkp_add64(tile_first, place);
    if (!make && place < valid) value[r] = value_at(values, place);
  }
  exchange_values(value, ranks, false);
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint place = place_of_move(r);
    const uint digit = bitfieldExtract(sorted_digits[r / 4u], int(8u * (r % 4u)), 8);
    if (place < valid) {
      uvec2 base = values_to;
      const uint element = target_of(digit, place, value_bytes, base);
      set_value(base, element, value[r]);
    }
  }
}

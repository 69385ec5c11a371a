// Sums, minima, maxima and counts by key, where all keys lie in a window. Each workgroup has a
// contiguous chunk of the rows and, in shared memory, a slot for each key. A key outside the window
// makes all workgroups stop; the rows are then sorted instead. With a bound from the caller, a row
// whose key lies outside is left out.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/dense_counters.glsl"

layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_ALIGNED) const uint aligned = 0;
layout(push_constant) uniform Push { GroupByDensePush push; };

// Returns the row of the tile that is number i of this invocation's. An invocation has four
// neighbouring rows at a time.
uint row_in_tile(const uint i) {
  return (i / 4u * gl_WorkGroupSize.x + gl_LocalInvocationIndex) * 4u + i % 4u;
}

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

void store_slots(uint group) {
  const uvec2 base = vkp_add64(vkp_u64(push.partials), vkp_mul64(group, 4u * slots));
  for (uint slot = gl_LocalInvocationIndex; slot < slots; slot += gl_WorkGroupSize.x) {
    store_slot(base, push.groups * slots, slot, slot_result(slot));
  }
}

uint slot_of(uint key, uint window) { return (key ^ push.flip) - window; }

// Counts some rows of a tile, from this invocation's row `first` on: those whose values lie between
// the limits of their slots. Returns the others: bit i is set for row i.
uint count_rows(uint first, uint slot[LOCAL_ROWS], uint bits[LOCAL_ROWS]) {
  uint left = 0u;
  [[unroll]] for (uint k = 0u; k < TURN_ROWS; ++k) {
    const uint i = first + k;
    uint at = copy_of(slot[i]);
    int most = 0;
    int not_least = 0;
    if (extremes != 0u) {
      most = limits[at].x;
      not_least = limits[at].y;
      const int number = number_of(bits[i]);
      const uint above = uint(number > most);
      const uint below = uint(~number > not_least);
      if ((above | below) != 0u) {
        left |= 1u << i;
        at = copy_of(used_slots);
      }
    }
    count_row(at, bits[i], most, not_least);
  }
  return left;
}

uint key_of_row(uvec2 offset, uint i) {
  return VkpWords(vkp_add64(vkp_u64(push.keys), offset)).v[row_in_tile(i)];
}
uint bits_of_row(uvec2 offset, uint i) {
  return VkpWords(vkp_add64(vkp_u64(push.values), offset)).v[row_in_tile(i)];
}

// Looks at the rows that are left, and counts those that it can. Returns the rows that need a
// larger unit.
uint meet_rows(uvec2 offset, uint left, uint window) {
  uint later = left;
  for (; left != 0u; left &= left - 1u) {
    const int i = findLSB(left);
    if (meet_row(slot_of(key_of_row(offset, i), window), bits_of_row(offset, i))) later ^= 1u << i;
  }
  return later;
}

// Counts the rows that needed a larger unit.
void count_later(uvec2 offset, uint later, uint window) {
  [[dont_unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) {
    if (i % TURN_ROWS == 0u) {
      barrier();
      renew();
    }
    uint slot = used_slots;
    uint bits = 0u;
    if ((later >> i & 1u) != 0u) {
      slot = slot_of(key_of_row(offset, i), window);
      bits = bits_of_row(offset, i);
    }
    const uint at = copy_of(slot);
    count_row(at, bits, limits[at].x, limits[at].y);
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
  VkpSharedWords missed =
      VkpSharedWords(vkp_add64(vkp_u64(push.header), VKP_GROUP_BY_MISSED_OFFSET));
  const uint window = header_word(vkp_u64(push.header), VKP_GROUP_BY_WINDOW_OFFSET);
  clear();
  // A turn is TURN_ROWS rows of each invocation; counters hold the rows of so many turns.
  const uint most_turns = COPY_ROWS * copies / (gl_WorkGroupSize.x * TURN_ROWS);
  // The turns left until counters are added to sums. After the first turn limits are set, too.
  uint turns = 1u;
  uint verdict_place = 0u;
  for (uint tile = begin; tile < end; ++tile) {
    const uvec2 offset = vkp_mul64(tile, 4u * tile_rows);
    const uint count = min(rows - tile * tile_rows, tile_rows);
    uint met = 0u;  // asked for early, as the answer takes a while
    if (gl_LocalInvocationIndex == 0u && push.bound == 0u) {
      met = atomicLoad(missed.v[0], gl_ScopeQueueFamily, 0, 0);
    }
    uint slot[LOCAL_ROWS];
    load_rows(vkp_add64(vkp_u64(push.keys), offset), count, slot);
    uint bits[LOCAL_ROWS];
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) bits[i] = 0u;
    if (kind != VKP_GROUP_BY_NO_VALUES) {
      load_rows(vkp_add64(vkp_u64(push.values), offset), count, bits);
    }
    uint later = 0u;
    uint farthest = 0u;
    [[unroll]] for (uint first = 0u; first < LOCAL_ROWS; first += TURN_ROWS) {
      if (turns == 0u) {
        barrier();
        renew();
        turns = most_turns;
      }
      --turns;
      [[unroll]] for (uint k = 0u; k < TURN_ROWS; ++k) {
        const uint i = first + k;
        slot[i] = slot_of(slot[i], window);
        if (count == tile_rows || row_in_tile(i) < count) {
          farthest = max(farthest, slot[i]);
          slot[i] = min(slot[i], used_slots);
        } else {
          slot[i] = used_slots;
        }
      }
      const uint left = count_rows(first, slot, bits);
      if (extremes != 0u) later |= meet_rows(offset, left, window);
    }
    if (later != 0u) atomicOr(verdicts[verdict_place], LATER, gl_ScopeWorkgroup, 0, 0);
    if (farthest >= used_slots && push.bound == 0u) {
      atomicOr(missed.v[0], 1u, gl_ScopeQueueFamily, 0, 0);
    }
    // The next place held the verdict on the tile before the previous one, which all have read, and
    // nobody adds to the verdict on the next tile before the barrier.
    const uint next_place = verdict_place == 2u ? 0u : verdict_place + 1u;
    if (gl_LocalInvocationIndex == 0u) {
      if (met != 0u) atomicOr(verdicts[verdict_place], STOP, gl_ScopeWorkgroup, 0, 0);
      verdicts[next_place] = 0u;
    }
    barrier();
    const uint verdict = verdicts[verdict_place];
    verdict_place = next_place;
    if ((verdict & STOP) != 0u) break;
    if ((verdict & LATER) != 0u) {
      count_later(offset, later, window);
      turns = 0u;
    }
  }
  barrier();
  renew();
  store_slots(group);
}

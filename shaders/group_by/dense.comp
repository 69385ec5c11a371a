// Sums, minima, maxima and counts by key where all keys lie in a window: each workgroup has a contiguous part of the
// rows and a slot for each key in shared memory. A key outside makes all workgroups stop; then the rows are sorted.
// With a bound that the caller has given it is left out.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/dense_counters.glsl"

layout(constant_id = VKP_GROUP_BY_DENSE_SPEC_ALIGNED) const uint aligned = 0;
layout(push_constant) uniform Push { GroupByDensePush push; };

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

void store_slots(uint group) {
  for (uint slot = gl_LocalInvocationIndex; slot < slots; slot += gl_WorkGroupSize.x) {
    Slot x = no_slot();
    if (slot < used_slots) {
      x.rows = rows_of_slot[slot];
      x.sum = sum_of(slot);
      if (extremes != 0u) {
        x.low = lows[slot];
        x.high = highs[slot];
      }
    }
    store_slot(vkp_add64(vkp_u64(push.partials), vkp_mul64(group, 4u * slots)), push.groups * slots, slot, x);
  }
}

// Counts the rows of a tile whose values lie between the limits of their slots. Which do not: bit i is that of row i.
uint count_rows(uint count, uint key[LOCAL_ROWS], uint bits[LOCAL_ROWS], uint window, out bool is_outside) {
  const bool whole = count == gl_WorkGroupSize.x * LOCAL_ROWS;
  uint farthest = 0u;
  uint left = 0u;
  [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) {
    uint slot = (key[i] ^ push.flip) - window;
    if (!whole && row_in_tile(i) >= count) {
      slot = used_slots;
    } else {
      farthest = max(farthest, slot);
      slot = min(slot, used_slots);
    }
    uint at = copy_of(slot);
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
  is_outside = farthest >= used_slots;
  return left;
}

uint slot_of(uvec2 offset, uint i, uint window) {
  return (VkpWords(vkp_add64(vkp_u64(push.keys), offset)).v[row_in_tile(i)] ^ push.flip) - window;
}
uint bits_of(uvec2 offset, uint i) {
  return VkpWords(vkp_add64(vkp_u64(push.values), offset)).v[row_in_tile(i)];
}

// Looks at the rows that are left. Returns those that need another unit.
uint meet_rows(uvec2 offset, uint left, uint window) {
  uint later = left;
  for (; left != 0u; left &= left - 1u) {
    const int i = findLSB(left);
    if (meet_row(slot_of(offset, i, window), bits_of(offset, i))) later ^= 1u << i;
  }
  return later;
}

// The rows that needed another unit.
void count_later(uvec2 offset, uint later, uint window) {
  [[dont_unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) {
    uint slot = used_slots;
    uint bits = 0u;
    if ((later >> i & 1u) != 0u) {
      slot = slot_of(offset, i, window);
      bits = bits_of(offset, i);
    }
    const uint at = copy_of(slot);
    count_row(at, bits, limits[at].x, limits[at].y);
  }
  barrier();
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
  uint tiles_left = 1u;  // until the counters are added to sums; after the first tile there are limits, too
  for (uint tile = begin; tile < end; ++tile) {
    const uvec2 offset = vkp_mul64(tile, 4u * tile_rows);
    const uint count = min(rows - tile * tile_rows, tile_rows);
    uint met = 0u;  // asked for early: the answer takes a while
    if (gl_LocalInvocationIndex == 0u && push.bound == 0u) met = atomicLoad(missed.v[0], gl_ScopeQueueFamily, 0, 0);
    uint key[LOCAL_ROWS];
    load_rows(vkp_add64(vkp_u64(push.keys), offset), count, key);
    uint bits[LOCAL_ROWS];
    [[unroll]] for (uint i = 0u; i < LOCAL_ROWS; ++i) bits[i] = 0u;
    if (kind != VKP_GROUP_BY_NO_VALUES) load_rows(vkp_add64(vkp_u64(push.values), offset), count, bits);
    bool is_outside;
    const uint left = count_rows(count, key, bits, window, is_outside);
    const uint later = extremes != 0u ? meet_rows(offset, left, window) : 0u;
    if (later != 0u) atomicOr(verdicts[turn], LATER, gl_ScopeWorkgroup, 0, 0);
    if (is_outside && push.bound == 0u) atomicOr(missed.v[0], 1u, gl_ScopeQueueFamily, 0, 0);
    // The verdict on the tile before the last one has been read by all, and that on the next has not begun.
    const uint next = turn == 2u ? 0u : turn + 1u;
    if (gl_LocalInvocationIndex == 0u) {
      if (met != 0u) atomicOr(verdicts[turn], STOP, gl_ScopeWorkgroup, 0, 0);
      verdicts[next] = 0u;
    }
    barrier();
    const uint verdict = verdicts[turn];
    if ((verdict & STOP) != 0u) break;
    --tiles_left;
    if ((verdict & LATER) != 0u) {
      renew_slots();
      count_later(offset, later, window);
    }
    if ((verdict & LATER) != 0u || tiles_left == 0u) {
      renew_slots();
      tiles_left = MOST_TILES * copies;
    }
    turn = next;
  }
  barrier();
  for (uint s = gl_LocalInvocationIndex; s < used_slots; s += gl_WorkGroupSize.x) flush(s);
  barrier();
  store_slots(group);
}

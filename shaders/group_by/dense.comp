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

// Segmented sort, first dispatch: sorts short segments, and puts the others on lists for the next dispatches.
//
// An invocation has a segment. Those of a subgroup's segments that an invocation can hold, it sorts in registers: the
// stretch of all keys from the subgroup's first segment to its last goes through shared memory, so that memory is
// read and written by rows of neighbours. What of longer segments lies between is written as it is, for the later
// dispatches to overwrite. If the stretch is longer than shared memory, all of its segments go on a list.
//
// Workgroups reserve room on a list for all their segments at once. In which order segments come to lie there
// changes no result. A list is full only where offsets do not ascend: then segments are left out.
// %VARIANT% ITEM word|word_index|pair|pair_index
#version 460
#extension GL_GOOGLE_include_directive : require
#include "segmented_sort/network.glsl"

const uint NO_LIST = ~0u;

struct Segment {
  uvec2 first, end;
};

uvec2 read_offset(uvec2 i) {
  const uvec2 address = element(push.offset_base, i, offset_words());
  const uvec2 offset =
      offset_words() == 1u ? uvec2(VkpWords(address).v[0], 0u) : VkpWords2(address).v[0];
  return vkp_min64(offset, vkp_u64(push.key_count));
}

Segment read_segment(uvec2 count) {
  const uvec2 number = vkp_add64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), invocation());
  if (!vkp_less64(number, count)) return Segment(uvec2(0u), uvec2(0u));
  Segment segment = Segment(read_offset(number), read_offset(vkp_add64(number, 1u)));
  const uvec2 longest = vkp_add64(segment.first, vkp_u64(push.max_length));
  segment.end = vkp_min64(segment.end, longest);
  if (vkp_less64(segment.end, segment.first)) segment.end = segment.first;
  return segment;
}

// ---- Short segments.

// Where an invocation's segment lies in the stretch of its subgroup.
struct Part {
  uint first, keys;
};

// Copies the stretch at key `first`, with the parts sorted.
void sort_parts(uvec2 first, Stripe stripe, Part part, bool many) {
  const uvec2 in_base = element(push.in_base, first, KEY_WORDS);
  const uvec2 out_base = element(push.out_base, first, KEY_WORDS);
  const uint base = stripe.base + part.first;
  KEY bits[ITEMS];
  EACH_ROW(stripe, bits[row] = load_bits(in_base, p);)
  EACH_ROW(stripe, put_key(stripe.base + p, bits[row]);)
  barrier();
  ITEM x[ITEMS];
#define READ_16(begin)                                                            \
  [[unroll]] for (uint i = begin; i < begin + 16u; ++i) {                         \
    x[i] = make_item(KEY(~0u), i);                                            \
    if (i < part.keys) x[i] = make_item(number_of(get_key(base + i)), i);         \
  }
  READ_16(0u)
#if ITEM_WORDS == 1
  if (many) { READ_16(16u) }
#endif
  sort_own(x, many);
#if INDEXED
  barrier();
  EACH_ROW(stripe, put(stripe.base + p, p);)
  barrier();
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    if (i < part.keys) put(base + i, part.first + x[i].x);
  }
  barrier();
  uint places[ITEMS];
  EACH_ROW(stripe, places[row] = stripe.base + get(stripe.base + p);)
  carry(in_base, out_base, KEY_WORDS, places, stripe);
  if (value_words() != 0u) {
    carry(element(push.values_in, first, value_words()), element(push.values_out, first, value_words()), value_words(),
          places, stripe);
  }
#else
#define WRITE_16(begin)                                      \
  [[unroll]] for (uint i = begin; i < begin + 16u; ++i) {    \
    if (i < part.keys) put_key(base + i, bits_of(x[i]));     \
  }
  WRITE_16(0u)
#if ITEM_WORDS == 1
  if (many) { WRITE_16(16u) }
#endif
  barrier();
  EACH_ROW(stripe, store_bits(out_base, p, get_key(stripe.base + p));)
#endif
}

// Sorts the segments that can be, true for those.
bool sort_short(Segment segment) {
  const uint last = subgroup_lanes() - 1u;
  const uvec2 first = uvec2(subgroupShuffle(segment.first.x, 0u), subgroupShuffle(segment.first.y, 0u));
  // Behind the last segment there are invocations without one: their keys end at 0.
  const uvec4 there = subgroupBallot(segment.end != uvec2(0u));
  const uint lane = min(max(vkp_lanes_to_last(there), 1u) - 1u, last);
  const uvec2 end = uvec2(subgroupShuffle(segment.end.x, lane), subgroupShuffle(segment.end.y, lane));
  const uint room = subgroup_lanes() * ITEMS;
  const uint stretch = vkp_clamped_difference(end, first, room + 1u);
  const uint length = vkp_clamped_difference(segment.end, segment.first, ITEMS + 1u);
  const bool inside = !vkp_less64(segment.first, first) && !vkp_less64(end, segment.end);
  const bool is_short = stretch <= room && inside && length != 0u && length <= ITEMS;
  const Part part = Part(segment.first.x - first.x, is_short ? length : 0u);
  const bool any = subgroupAny(is_short);
  const bool many = subgroupAny(is_short && length > 16u);
  sort_parts(first,
             Stripe(gl_SubgroupInvocationID, subgroup_lanes(), any ? stretch : 0u,
                    gl_SubgroupID * gl_SubgroupSize * ITEMS),
             part, many);
  return is_short;
}

// ---- Lists.

shared uint list_counts[VKP_SEGMENTED_SORT_CLASSES];
shared uint list_firsts[VKP_SEGMENTED_SORT_CLASSES];
shared uint tiled_count;

const uint TILE = gl_WorkGroupSize.x * ITEMS;

uint class_of(uvec2 length) {
  if (vkp_less64(uvec2(TILE, 0u), length)) return 0u;
  const uint units = (length.x + ITEMS - 1u) / ITEMS;
  return uint(findMSB(max(units, 2u) - 1u)) + 1u;
}

uvec2 list_address(uint c) {
  uvec2 address = tile_address(push.max_tiles);
  for (uint i = 1u; i < c; ++i) {
    const uint entries = min(VKP_SEGMENTED_SORT_CAPACITY(i, push.units), push.max_entries);
    address = vkp_add64(address, vkp_mul64(entries, VKP_SEGMENTED_SORT_ENTRY_BYTES));
  }
  return address;
}

// A segment of class 0 has a record for each of its tiles. The workgroup writes those of one segment after the other.
void store_tiles(uvec2 first, uvec2 length, uint tiles, uint at, bool mine) {
  const uint own = mine ? atomicAdd(tiled_count, 1u) : 0u;
  if (mine) {
    pool[own * 5u] = first.x;
    pool[own * 5u + 1u] = first.y;
    pool[own * 5u + 2u] = length.x;
    pool[own * 5u + 3u] = length.y;
    pool[own * 5u + 4u] = at;
    atomicMax(header().v[VKP_SEGMENTED_SORT_PASSES], passes_of(tiles));
  }
  barrier();
  const uint segments = tiled_count;
  for (uint s = 0u; s < segments; ++s) {
    Tiled tiled = Tiled(uvec2(pool[s * 5u], pool[s * 5u + 1u]), uvec2(pool[s * 5u + 2u], pool[s * 5u + 3u]), 0u);
    const uint begin = pool[s * 5u + 4u];
    const uint count = tiles_of(tiled.keys, TILE);
    const uint rounds = (count + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    for (uint round = 0u; round < rounds; ++round) {
      tiled.tile = round * gl_WorkGroupSize.x + invocation();
      const bool fits = begin < push.max_tiles && tiled.tile < push.max_tiles - begin;
      if (tiled.tile < count && fits) store_tile(begin + tiled.tile, tiled);
    }
  }
  barrier();
}

void list(Segment segment, bool sorted) {
  const uvec2 length = vkp_sub64(segment.end, segment.first);
  uint c = NO_LIST;
  if (!sorted && length != uvec2(0u)) c = class_of(length);
  if (gl_LocalInvocationIndex == 0u) tiled_count = 0u;
  if (gl_LocalInvocationIndex < VKP_SEGMENTED_SORT_CLASSES) list_counts[gl_LocalInvocationIndex] = 0u;
  barrier();
  uint at = 0u;
  const uint tiles = tiles_of(length, TILE);
  if (c != NO_LIST) at = atomicAdd(list_counts[c], c == 0u ? min(tiles, push.max_tiles) : 1u);
  barrier();
  if (gl_LocalInvocationIndex < VKP_SEGMENTED_SORT_CLASSES) {
    const uint count = list_counts[gl_LocalInvocationIndex];
    if (count != 0u) list_firsts[gl_LocalInvocationIndex] = atomicAdd(header().v[gl_LocalInvocationIndex], count);
  }
  barrier();
  if (c != NO_LIST) at += list_firsts[c];
  if (c != NO_LIST && c != 0u && at < min(VKP_SEGMENTED_SORT_CAPACITY(c, push.units), push.max_entries)) {
    const uvec2 entry = vkp_add64(list_address(c), vkp_mul64(at, VKP_SEGMENTED_SORT_ENTRY_BYTES));
    VkpWords2(entry).v[0] = uvec2(segment.first.x, segment.first.y | length.x << 8);
  }
  if (list_counts[0] != 0u) store_tiles(segment.first, length, tiles, at, c == 0u);
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  // The workgroup as a whole.
  if (!vkp_less64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), count)) return;
  const Segment segment = read_segment(count);
  const bool sorted = sort_short(segment);
  barrier();  // the pool is used again
  list(segment, sorted);
}

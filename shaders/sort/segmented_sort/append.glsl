// Puts the segments of a workgroup that are not sorted yet on their lists.
//
// Workgroups reserve room on a list for all their segments at once. The order in which segments
// come to lie there changes no result. A list is full only where offsets do not ascend; segments
// are then left out.
#ifndef VKPRIMS_SEGMENTED_SORT_APPEND_GLSL
#define VKPRIMS_SEGMENTED_SORT_APPEND_GLSL

#include "sort/segmented_sort/items.glsl"
#include "sort/segmented_sort/lists.glsl"

const uint NO_LIST = ~0u;

struct Segment {
  uvec2 first, end;
};

shared uint list_counts[VKP_SEGMENTED_SORT_CLASSES];
shared uint list_firsts[VKP_SEGMENTED_SORT_CLASSES];
shared uint tiled_count;
shared uint any_listed;

const uint TILE = gl_WorkGroupSize.x * ITEMS;

uint class_of(uvec2 length) {
  if (vkp_less64(uvec2(TILE, 0u), length)) return 0u;
  const uint units = (length.x + ITEMS - 1u) / ITEMS;
  return uint(findMSB(max(units, 2u) - 1u)) + 1u;
}

// A segment of class 0 has a record for each of its tiles. The workgroup writes the records of one
// segment after the other.
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
    Tiled tiled = Tiled(uvec2(pool[s * 5u], pool[s * 5u + 1u]),
                        uvec2(pool[s * 5u + 2u], pool[s * 5u + 3u]), 0u);
    const uint begin = pool[s * 5u + 4u];
    // Only the tiles that there is room for are stored, so time is bounded, whatever the offsets.
    const uint count = min(tiles_of(tiled.keys, TILE), push.max_tiles - min(begin, push.max_tiles));
    const uint rounds = (count + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    for (uint round = 0u; round < rounds; ++round) {
      tiled.tile = round * gl_WorkGroupSize.x + invocation();
      if (tiled.tile < count) store_tile(begin + tiled.tile, tiled);
    }
  }
  barrier();
}

// All invocations of the workgroup call this, each with a segment. `sorted` means that there is
// nothing to do for it.
void append(Segment segment, bool sorted) {
  const uvec2 length = vkp_sub64(segment.end, segment.first);
  uint c = NO_LIST;
  if (!sorted && length != uvec2(0u)) c = class_of(length);
  if (gl_LocalInvocationIndex == 0u) tiled_count = any_listed = 0u;
  if (gl_LocalInvocationIndex < VKP_SEGMENTED_SORT_CLASSES) {
    list_counts[gl_LocalInvocationIndex] = 0u;
  }
  barrier();
  if (c != NO_LIST) any_listed = 1u;
  barrier();
  if (any_listed == 0u) return;
  uint at = 0u;
  const uint tiles = tiles_of(length, TILE);
  if (c != NO_LIST) at = atomicAdd(list_counts[c], c == 0u ? min(tiles, push.max_tiles) : 1u);
  barrier();
  if (gl_LocalInvocationIndex < VKP_SEGMENTED_SORT_CLASSES) {
    const uint count = list_counts[gl_LocalInvocationIndex];
    if (count != 0u) {
      list_firsts[gl_LocalInvocationIndex] = atomicAdd(header().v[gl_LocalInvocationIndex], count);
    }
  }
  barrier();
  if (c != NO_LIST) at += list_firsts[c];
  if (c != NO_LIST && c != 0u && at < capacity_of(c)) {
    store_entry(c, at, Entry(segment.first, length.x));
  }
  if (list_counts[0] != 0u) store_tiles(segment.first, length, tiles, at, c == 0u);
}

#endif

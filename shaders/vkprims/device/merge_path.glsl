// Segments and their values, cut into tiles of equal work.
//
// The values of all segments and the ends of the segments are merged into one sequence: before an
// end come the values of its segment and of all segments before it. A tile is a run of that
// sequence, so its work is the same whether it has long segments, short ones, or thousands of empty
// ones. End i stands behind i ends and offsets[i + 1] values. So its position grows with i, and a
// binary search finds how many ends come before a position, that is, how many segments and values
// lie before a tile.
//
// Source: S. Odeh et al., "Merge Path" (2012); D. Merrill, M. Garland, "Merge-based Parallel Sparse
// Matrix-Vector Multiplication" (2016).
//
// Offsets are clamped to the number of values, and the numbers of a tile's ends and values to the
// size of a tile. So, whatever the offsets are, nothing outside of the views is touched and no tile
// has more to do than another.
//
// Specialization: VKP_SEGMENTED_SPEC_OFFSET_WORDS.
#ifndef VKPRIMS_MERGE_PATH_GLSL
#define VKPRIMS_MERGE_PATH_GLSL

#include "vkprims/core.glsl"
#include "vkprims/device/segmented_reduce.h"
#include "vkprims/subgroup/narrow.glsl"

layout(constant_id = VKP_SEGMENTED_SPEC_OFFSET_WORDS) const uint vkp_offset_words = 1;

struct VkpOffsets {
  uvec2 offsets;  // address of count + 1 offsets
  uvec2 count;
  uvec2 first;   // the first value that belongs to a segment
  uvec2 values;  // number of values that belong to segments, from there on
};

uvec2 vkp_offset(uvec2 offsets, uvec2 i) {
  const uvec2 address = vkp_add64(offsets, vkp_mul64(i, 4u * vkp_offset_words));
  if (vkp_offset_words == 2u) return VkpWords2(address).v[0];
  return uvec2(VkpWords(address).v[0], 0u);
}

// `value_count` is the number of values that offsets may point to.
VkpOffsets vkp_offsets(uvec2 offsets, uvec2 count, uvec2 value_count) {
  const uvec2 first = vkp_min64(vkp_offset(offsets, uvec2(0u)), value_count);
  const uvec2 end = vkp_min64(vkp_offset(offsets, count), value_count);
  const uvec2 values = vkp_less64(first, end) ? vkp_sub64(end, first) : uvec2(0u);
  return VkpOffsets(offsets, count, first, values);
}

// The number of items of the merged sequence.
uvec2 vkp_merge_items(VkpOffsets s) { return vkp_add64(s.count, s.values); }

// The number of values before the end of segment i.
uvec2 vkp_values_before_end(VkpOffsets s, uvec2 i) {
  const uvec2 offset = vkp_offset(s.offsets, vkp_add64(i, 1u));
  return vkp_less64(s.first, offset) ? vkp_min64(vkp_sub64(offset, s.first), s.values) : uvec2(0u);
}

bool vkp_end_is_before(VkpOffsets s, uvec2 i, uvec2 position) {
  return vkp_less64(vkp_add64(vkp_values_before_end(s, i), i), position);
}

// At least and at most so many ends lie before `position` of the merged sequence.
uvec2 vkp_least_ends(VkpOffsets s, uvec2 position) {
  return vkp_less64(s.values, position) ? vkp_sub64(position, s.values) : uvec2(0u);
}
uvec2 vkp_most_ends(VkpOffsets s, uvec2 position) { return vkp_min64(position, s.count); }

// Returns the number of ends before `position` of the merged sequence; the other items before it
// are values. Several places are examined at a time, as most of the time is spent waiting for one
// load after another. The search stops even if offsets do not ascend, as `low` grows or `high`
// falls in each turn.
uvec2 vkp_ends_before(VkpOffsets s, uvec2 position) {
  const uint places = 8u;
  uvec2 low = vkp_least_ends(s, position);
  uvec2 high = vkp_most_ends(s, position);
  while (vkp_less64(low, high)) {
    const uvec2 last = vkp_sub64(high, uvec2(1u, 0u));
    // All places together cover the interval.
    const uvec2 step = vkp_shr64(vkp_add64(vkp_sub64(last, low), places), 3u);
    uvec2 place[places];
    bool before[places];
    [[unroll]] for (uint k = 0u; k < places; ++k) {
      place[k] = vkp_sub64(vkp_add64(low, vkp_mul64(step, k + 1u)), uvec2(1u, 0u));
      place[k] = vkp_min64(place[k], last);
      before[k] = vkp_end_is_before(s, place[k], position);
    }
    [[unroll]] for (uint k = 0u; k < places; ++k) {
      if (before[k]) low = vkp_add64(place[k], 1u);
    }
    [[unroll]] for (uint k = places; k-- > 0u;) {
      if (!before[k]) high = place[k];
    }
  }
  return low;
}

// Does the same by all lanes of a subgroup, which ask for the same position.
uvec2 vkp_ends_before_by_subgroup(VkpOffsets s, uvec2 position) {
  uvec2 low = vkp_least_ends(s, position);
  uvec2 high = vkp_most_ends(s, position);
  while (vkp_less64(low, high)) {
    const uvec2 place = vkp_place_of_lane(low, high, gl_SubgroupInvocationID);
    vkp_narrow(low, high, vkp_end_is_before(s, place, position));
  }
  return low;
}

// How work is cut into tiles. Each has a record in scratch, which begins with the number of ends
// before the tile; there is one record more, for the end of the last tile.
struct VkpMergeTiles {
  uvec2 scratch;
  uint max_tiles, items, record_bytes;
};

uvec2 vkp_merge_position(VkpMergeTiles tiles, uint tile) { return vkp_mul64(tile, tiles.items); }

uvec2 vkp_merge_record(const VkpMergeTiles tiles, const uint tile) {
  return vkp_add64(vkp_add64(tiles.scratch, VKP_SEGMENTED_RECORDS_OFFSET),
                   vkp_mul64(tile, tiles.record_bytes));
}

// Writes the number of tiles to the header if it is `tile`. It is that of the first tile that
// begins where the sequence ends.
void vkp_store_merge_tiles(VkpMergeTiles tiles, uint tile, uvec2 items) {
  if (vkp_less64(vkp_merge_position(tiles, tile), items)) return;
  VkpWords2(vkp_add64(tiles.scratch, VKP_SEGMENTED_TILES_OFFSET)).v[0] = uvec2(tile, 0u);
}

// Step 1 of segmented_reduce.glsl, with an invocation or a subgroup for each tile and one more:
// finds where a tile begins, and writes what all tiles need to know to the header.
void vkp_segmented_starts(VkpMergeTiles tiles, VkpOffsets s, uint tile, bool by_subgroup) {
  const uvec2 items = vkp_merge_items(s);
  if (tile == 0u) {
    VkpWords(vkp_add64(tiles.scratch, VKP_SEGMENTED_FINISHED_OFFSET)).v[0] = 0u;
    VkpWords2(vkp_add64(tiles.scratch, VKP_SEGMENTED_FIRST_OFFSET)).v[0] = s.first;
    VkpWords2(vkp_add64(tiles.scratch, VKP_SEGMENTED_ITEMS_OFFSET)).v[0] = items;
    VkpWords2(vkp_add64(tiles.scratch, VKP_SEGMENTED_VALUES_OFFSET)).v[0] = s.values;
  }
  if (tile != 0u && !vkp_less64(vkp_merge_position(tiles, tile - 1u), items)) return;
  vkp_store_merge_tiles(tiles, tile, items);
  // NVIDIA's compiler makes the search a third slower if this address is computed behind it.
  const uvec2 record = vkp_merge_record(tiles, tile);
  const uvec2 position = vkp_min64(vkp_merge_position(tiles, tile), items);
  uvec2 ends;
  if (by_subgroup) {
    ends = vkp_ends_before_by_subgroup(s, position);
  } else {
    ends = vkp_ends_before(s, position);
  }
  if (by_subgroup && !subgroupElect()) return;
  VkpWords2(record).v[0] = ends;
}

#endif

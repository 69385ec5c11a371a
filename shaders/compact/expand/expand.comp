// Expand: for each place of the output the item in whose range it lies, and which place of that
// range it is.
//
// Ranges are segments and places are their values, which merge_path.glsl cuts into tiles of equal
// work. Each range that begins inside of a tile marks its first place, in shared memory, with where
// that is and how many ranges have ended before. Both numbers grow along the tile. So the largest
// mark up to a place, found by a scan, is that of its range.
//
// Source: S. Baxter, "Load-Balancing Search" of moderngpu (2013), for what is computed; D. Merrill,
// M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication" (2016), for the tiles.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "compact/expand/expand.abi.h"
#include "vkprims/device/merge_path.glsl"
#include "vkprims/memory/report.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint rows = 1;
layout(constant_id = VKP_SEGMENTED_SPEC_ALONE) const uint alone = 0;
layout(constant_id = VKP_EXPAND_SPEC_INDEX_WORDS) const uint index_words = 1;
layout(push_constant) uniform Push { ExpandPush push; };

const uint cell_items = VKP_EXPAND_CELL;

#define TILE_CELLS (gl_WorkGroupSize.x * rows)
#define MAX_SUBGROUPS (gl_WorkGroupSize.x / 4u)  // subgroups have at least 4 lanes

// A mark has the place in the upper half, counted from the tile's first place, and the number of
// ranges in the lower one; 0 is the range that reaches into the tile from before.
const uint place_shift = 16u;

shared uvec4 marks[TILE_CELLS];
shared uint most_of_subgroup[MAX_SUBGROUPS];

uint tile_items() { return TILE_CELLS * cell_items - (cell_items - 1u); }

// gl_LocalInvocationIndex need not follow the lanes, so invocations are numbered by subgroup.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

uint row_cell(uint row) {
  return (gl_SubgroupID * rows + row) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

// The places of a tile. They are counted from its first cell on, which begins at 16 bytes of the
// output and may also have places of the tile before.
struct Places {
  uint begin, end;
  uvec2 first;  // number of the cell's first place, which need not exist: may lie below 0 and wrap
};

Places places_of(VkpOffsets ranges, VkpMergeTile tile) {
  const uvec2 first = vkp_add64(ranges.first, tile.value);
  const uvec2 base = vkp_u64(push.index_base) != uvec2(0u) ? vkp_u64(push.index_base)
                                                              : vkp_u64(push.rank_base);
  // The low words of the address and of the number are enough here.
  const uint head = (base.x / (4u * index_words) + first.x) % (4u / index_words);
  return Places(head, head + tile.values, vkp_sub64(first, uvec2(head, 0u)));
}

// Stores the results of a cell at those places that the tile has.
void store_cell(uvec2 base, Places places, uint cell, uvec2 x[cell_items]) {
  const uvec2 out_base = vkp_add64(base, vkp_mul64(places.first, 4u * index_words));
  const uint first = cell * cell_items;
  if (first >= places.begin && first + cell_items <= places.end && out_base.x % 16u == 0u) {
    if (index_words == 1u) {
      VkpWords4(out_base).v[cell] = uvec4(x[0].x, x[1].x, x[2].x, x[3].x);
    } else {
      VkpWords4(out_base).v[2u * cell] = uvec4(x[0], x[1]);
      VkpWords4(out_base).v[2u * cell + 1u] = uvec4(x[2], x[3]);
    }
    return;
  }
  [[unroll]] for (uint k = 0u; k < cell_items; ++k) {
    const uint place = first + k;
    if (place < places.begin || place >= places.end) continue;
    if (index_words == 1u) VkpWords(out_base).v[place] = x[k].x;
    if (index_words == 2u) VkpWords2(out_base).v[place] = x[k];
  }
}

// Returns the tile's place at which range `i` of those that end in it ends.
uint end_in_tile(VkpOffsets ranges, VkpMergeTile tile, uint i) {
  const uvec2 end = vkp_values_before_end(ranges, vkp_add64(tile.segment, i));
  return vkp_clamped_difference(end, tile.value, tile.values);
}

// Marks where ranges begin. Of those that end at the same place only the last one has a range with
// places behind it.
void mark_ranges(VkpOffsets ranges, VkpMergeTile tile, Places places) {
  // All subgroups make the same number of turns, as lavapipe drops the rest of a program after
  // plain shared-memory accesses in a loop of which some subgroups make more.
  for (uint first = 0u; first < tile.ends; first += gl_WorkGroupSize.x) {
    const uint i = first + invocation();
    if (i >= tile.ends) continue;
    const uint end = end_in_tile(ranges, tile, i);
    uint next = tile.values;
    if (i + 1u < tile.ends) next = end_in_tile(ranges, tile, i + 1u);
    if (end >= next) continue;
    const uint place = places.begin + end;
    marks[place / cell_items][place % cell_items] = end << place_shift | (i + 1u);
  }
}

void expand_tile(VkpOffsets ranges, VkpMergeTile tile) {
  const Places places = places_of(ranges, tile);
  // The first range may have begun in an earlier tile.
  uvec2 begin = uvec2(0u);
  if (tile.segment != uvec2(0u)) {
    begin = vkp_values_before_end(ranges, vkp_sub64(tile.segment, uvec2(1u, 0u)));
  }
  const uvec2 ahead = vkp_sub64(tile.value, begin);
  for (uint i = 0u; i < rows; ++i) marks[row_cell(i)] = uvec4(0u);
  barrier();
  mark_ranges(ranges, tile, places);
  barrier();

  // The marks of a cell become the largest ones up to each of its places, then also those before.
  uvec4 mark[rows];
  uint before[rows];
  uint most = 0u;
  [[unroll]] for (uint i = 0u; i < rows; ++i) {
    uvec4 m = marks[row_cell(i)];
    m.y = max(m.x, m.y);
    m.z = max(m.y, m.z);
    m.w = max(m.z, m.w);
    const uint upto = max(subgroupInclusiveMax(m.w), most);
    before[i] = subgroupShuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
    if (gl_SubgroupInvocationID == 0u) before[i] = most;
    most = subgroupShuffle(upto, gl_SubgroupSize - 1u);
    mark[i] = m;
  }
  if (gl_SubgroupInvocationID == 0u) most_of_subgroup[gl_SubgroupID] = most;
  barrier();
  uint group_before = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i < gl_SubgroupID) group_before = max(group_before, most_of_subgroup[i]);
  }

  [[unroll]] for (uint i = 0u; i < rows; ++i) {
    const uint cell = row_cell(i);
    const uint cell_before = max(before[i], group_before);
    uvec2 index[cell_items], rank[cell_items];
    [[unroll]] for (uint k = 0u; k < cell_items; ++k) {
      const uint m = max(mark[i][k], cell_before);
      const uint place = cell * cell_items + k - places.begin;
      index[k] = vkp_add64(tile.segment, m & ((1u << place_shift) - 1u));
      rank[k] = m == 0u ? vkp_add64(ahead, place) : uvec2(place - (m >> place_shift), 0u);
    }
    if (vkp_u64(push.index_base) != uvec2(0u)) {
      store_cell(vkp_u64(push.index_base), places, cell, index);
    }
    if (vkp_u64(push.rank_base) != uvec2(0u)) {
      store_cell(vkp_u64(push.rank_base), places, cell, rank);
    }
  }
}

// Stores how far the output goes, and reports what there is no room for.
void store_total(uvec2 count) {
  const uvec2 capacity = vkp_u64(push.capacity);
  const uvec2 needed = vkp_offset(vkp_u64(push.offset_base), count);
  if (vkp_u64(push.total_base) != uvec2(0u)) {
    VkpWords2(vkp_u64(push.total_base)).v[0] = vkp_min64(needed, capacity);
  }
  const uvec2 report = vkp_u64(push.report);
  if (report == uvec2(0u) || !vkp_less64(capacity, needed)) return;
  vkp_report(report, VKP_REPORT_CAPACITY_EXCEEDED, capacity,
             vkp_clamped_difference(needed, capacity, ~0u));
  VkpWords2(vkp_add64(report, 4u * VKP_REPORT_NEEDED)).v[0] = needed;
}

void main() {
  const uvec2 offsets = vkp_u64(push.offset_base);
  if (vkp_group_index() == 0u && gl_LocalInvocationIndex == 0u) {
    store_total(vkp_read_count(push.count));
  }
  if (alone != 0u) {
    const VkpOffsets ranges =
        vkp_offsets(offsets, vkp_read_count(push.count), vkp_u64(push.capacity));
    expand_tile(ranges, vkp_only_merge_tile(ranges, tile_items()));
    return;
  }
  VkpOffsets ranges;
  VkpMergeTile tile;
  const VkpMergeTiles tiles =
      VkpMergeTiles(vkp_u64(push.scratch), push.max_tiles, tile_items(), push.record_bytes);
  if (vkp_load_merge_tile(tiles, offsets, vkp_group_index(), ranges, tile)) {
    expand_tile(ranges, tile);
  }
}

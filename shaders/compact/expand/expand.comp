// Expand: for each place of the output the item in whose range it lies, and which place of that
// range it is.
//
// Ranges are segments and places are their values, which merge_path.glsl cuts into tiles of equal
// work. Each range that begins inside of a tile marks its first place, in shared memory, with where
// that is and how many ranges have ended before. Both numbers grow along the tile. So the last mark
// up to a place, which is also the largest one, is that of its range.
//
// Source: S. Baxter, "Load-Balancing Search" of moderngpu (2013), for what is computed; D. Merrill,
// M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication" (2016), for the tiles.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "compact/expand/expand.abi.h"
#include "vkprims/device/merge_tiles.glsl"
#include "vkprims/memory/report.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint rows = 1;
layout(constant_id = VKP_EXPAND_SPEC_INDEX_WORDS) const uint index_words = 1;
layout(constant_id = VKP_EXPAND_SPEC_RESULTS) const uint results = VKP_EXPAND_INDICES;
layout(push_constant) uniform Push { ExpandPush push; };

const uint cell_items = VKP_EXPAND_CELL;
const bool wants_indices = (results & VKP_EXPAND_INDICES) != 0u;
const bool wants_ranks = (results & VKP_EXPAND_RANKS) != 0u;

#define TILE_CELLS (gl_WorkGroupSize.x * rows)
#define MAX_SUBGROUPS (gl_WorkGroupSize.x / 4u)  // subgroups have at least 4 lanes

// A mark is the number of the tile's ranges that have ended. If ranks are wanted, its upper half is
// the place where the last one of these ends. 0 is the range that reaches into the tile from
// before.
const uint place_shift = 16u;
uint mark_of(uint ranges, uint place) {
  return wants_ranks ? place << place_shift | ranges : ranges;
}
uint mark_ranges(uint mark) { return wants_ranks ? mark & ((1u << place_shift) - 1u) : mark; }

shared uvec4 marks[TILE_CELLS];
shared uint last_of_subgroup[MAX_SUBGROUPS];

uint tile_items() { return TILE_CELLS * cell_items - (cell_items - 1u); }

// gl_LocalInvocationIndex need not follow the lanes, so invocations are numbered by subgroup.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// The places of a tile. They are counted from its first cell on, which begins at 16 bytes of the
// output, if results do, and may also have places of the tile before.
struct Places {
  uint begin, end;
  uint rows;    // those rows of each subgroup that have all cells
  uint whole_begin, whole_count;  // the cells of which the tile has all places
  uvec2 first;  // number of the cell's first place, which need not exist: may lie below 0 and wrap
};

Places places_of(VkpOffsets ranges, VkpMergeTile tile) {
  const uvec2 first = vkp_add64(ranges.first, tile.value);
  const uvec2 base = wants_indices ? vkp_u64(push.index_base) : vkp_u64(push.rank_base);
  // The low words of the address and of the number are enough here.
  const uint head = (base.x / (4u * index_words) + first.x) % (4u / index_words);
  const uint end = head + tile.values;
  const uint row_items = gl_WorkGroupSize.x * cell_items;
  const uint whole_begin = (head + cell_items - 1u) / cell_items;
  const uint whole_end = max(end / cell_items, whole_begin);
  return Places(head, end, (end + row_items - 1u) / row_items, whole_begin,
                whole_end - whole_begin, vkp_sub64(first, uvec2(head, 0u)));
}

// Returns this lane's cell of a row of its subgroup.
uint row_cell(Places places, uint row) {
  return (gl_SubgroupID * places.rows + row) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

// Stores the results of a cell at those places that the tile has. Below the first whole cell the
// difference wraps, and is large.
void store_cell(uvec2 base, Places places, uint cell, uvec2 x[cell_items]) {
  const uvec2 out_base = vkp_add64(base, vkp_mul64(places.first, 4u * index_words));
  const uint first = cell * cell_items;
  if (cell - places.whole_begin < places.whole_count && out_base.x % 16u == 0u) {
    if (index_words == 1u) {
      VkpWords4(out_base).v[cell] = uvec4(x[0].x, x[1].x, x[2].x, x[3].x);
    } else {
      VkpWords4(out_base).v[2u * cell] = uvec4(x[0], x[1]);
      VkpWords4(out_base).v[2u * cell + 1u] = uvec4(x[2], x[3]);
    }
  } else if (first < places.end) {
    [[unroll]] for (uint k = 0u; k < cell_items; ++k) {
      const uint place = first + k;
      if (place < places.begin || place >= places.end) continue;
      if (index_words == 1u) VkpWords(out_base).v[place] = x[k].x;
      if (index_words == 2u) VkpWords2(out_base).v[place] = x[k];
    }
  }
}

// The ends of the ranges that end in a tile. Invocations load several at a time, as most of the
// time would be spent waiting for one after another.
struct Ends {
  uvec2 offsets;  // address of the end of the first range
  uvec2 first;    // the tile's first place, in the output
  uint count, places;
};

Ends ends_of(VkpOffsets ranges, VkpMergeTile tile) {
  const uvec2 after = vkp_mul64(vkp_add64(tile.segment, 1u), 4u * vkp_offset_words);
  return Ends(vkp_add64(ranges.offsets, after), vkp_add64(ranges.first, tile.value), tile.ends,
              tile.values);
}

// Loads where the ranges from `begin` on end, as places of the tile. A range that the tile does not
// have ends behind its last place.
void load_ends(Ends ends, uint begin, out uint end[rows]) {
  [[unroll]] for (uint k = 0u; k < rows; ++k) {
    const uint i = begin + k * gl_WorkGroupSize.x + invocation();
    end[k] = ends.places;
    if (i >= ends.count) continue;
    if (vkp_offset_words == 1u) {
      end[k] = max(VkpWords(ends.offsets).v[i], ends.first.x) - ends.first.x;
    } else {
      end[k] = vkp_clamped_difference(VkpWords2(ends.offsets).v[i], ends.first, ends.places);
    }
  }
}

// Marks that other ranges begin where these end. Of those that end at the same place the last one
// is followed by the range that has places.
void mark_ends(Ends ends, Places places, uint begin, uint end[rows]) {
  [[unroll]] for (uint k = 0u; k < rows; ++k) {
    const uint i = begin + k * gl_WorkGroupSize.x + invocation();
    const uint place = places.begin + end[k];
    if (end[k] < ends.places) {
      atomicMax(marks[place / cell_items][place % cell_items], mark_of(i + 1u, end[k]));
    }
  }
}

// Returns the marks of a cell, each the last one in the cell up to its place.
uvec4 marks_of_cell(uint cell) {
  uvec4 m = marks[cell];
  m.y = max(m.x, m.y);
  m.z = max(m.y, m.z);
  m.w = max(m.z, m.w);
  return m;
}

// Stores the results of a cell whose places have these marks.
// `ahead` are the places of the tile's first range that earlier tiles have.
void store_results(VkpMergeTile tile, Places places, uint cell, uvec4 mark, uvec2 ahead) {
  uvec2 index[cell_items], rank[cell_items];
  [[unroll]] for (uint k = 0u; k < cell_items; ++k) {
    const uint place = cell * cell_items + k - places.begin;
    index[k] = vkp_add64(tile.segment, mark_ranges(mark[k]));
    rank[k] =
        mark[k] == 0u ? vkp_add64(ahead, place) : uvec2(place - (mark[k] >> place_shift), 0u);
  }
  if (wants_indices) store_cell(vkp_u64(push.index_base), places, cell, index);
  if (wants_ranks) store_cell(vkp_u64(push.rank_base), places, cell, rank);
}

void expand_tile(VkpOffsets ranges, VkpMergeTile tile) {
  const Places places = places_of(ranges, tile);
  const Ends ends = ends_of(ranges, tile);
  uint end[rows];
  load_ends(ends, 0u, end);
  [[unroll]] for (uint i = 0u; i < rows; ++i) {
    marks[i * gl_WorkGroupSize.x + invocation()] = uvec4(0u);
  }
  barrier();
  mark_ends(ends, places, 0u, end);
  const uint turn_ends = rows * gl_WorkGroupSize.x;
  [[dont_unroll]] for (uint begin = turn_ends; begin < ends.count; begin += turn_ends) {
    load_ends(ends, begin, end);
    mark_ends(ends, places, begin, end);
  }
  barrier();

  // The last mark before each cell, at first in this subgroup only.
  uint before[rows];
  uint last = 0u;
  [[unroll]] for (uint i = 0u; i < rows; ++i) {
    before[i] = last;
    if (i < places.rows) {
      const uint mark = marks_of_cell(row_cell(places, i)).w;
      const uint lanes = vkp_lanes_to_last(subgroupBallot(mark != 0u) & gl_SubgroupLtMask);
      const uint left = subgroupShuffle(mark, max(lanes, 1u) - 1u);
      if (lanes != 0u) before[i] = left;
      last = subgroupShuffle(mark != 0u ? mark : before[i], gl_SubgroupSize - 1u);
    }
  }
  if (gl_SubgroupInvocationID == 0u) last_of_subgroup[gl_SubgroupID] = last;
  barrier();
  uint group_before = 0u;  // the last mark of the subgroups before
  for (uint first = 0u; first < gl_NumSubgroups; first += gl_SubgroupSize) {
    const uint i = first + gl_SubgroupInvocationID;
    const uint mark = i < gl_SubgroupID ? last_of_subgroup[i] : 0u;
    group_before = max(group_before, subgroupMax(mark));
  }

  uvec2 begin = uvec2(0u);
  if (wants_ranks && tile.segment != uvec2(0u)) {
    begin = vkp_values_before_end(ranges, vkp_sub64(tile.segment, uvec2(1u, 0u)));
  }
  const uvec2 ahead = vkp_sub64(tile.value, begin);
  [[unroll]] for (uint i = 0u; i < rows; ++i) {
    if (i < places.rows) {
      const uint cell = row_cell(places, i);
      const uvec4 mark = max(marks_of_cell(cell), uvec4(max(before[i], group_before)));
      store_results(tile, places, cell, mark, ahead);
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
  if (vkp_group_index() == 0u && gl_LocalInvocationIndex == 0u) {
    store_total(vkp_read_count(push.count));
  }
  const VkpMergeTiles tiles =
      VkpMergeTiles(vkp_u64(push.scratch), push.max_tiles, tile_items(), push.record_bytes);
  const VkpSegments given =
      VkpSegments(vkp_u64(push.offset_base), push.count, vkp_u64(push.capacity));
  VkpOffsets ranges;
  VkpMergeTile tile;
  if (!vkp_find_merge_tile(tiles, given, vkp_group_index(), ranges, tile)) return;
  expand_tile(ranges, tile);
}

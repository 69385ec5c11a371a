// Tiles whose rows are in registers, some in each lane: what is known of them, how many bytes they are, and where in the tile
// they begin. See tiles.glsl.
//
// Long rows (VKP_STRINGS_LONG) are counted by the whole workgroup, one after the other, and left to a dispatch behind, which writes
// them (store_long_rows.glsl); unless the host says that there are none.
//
// Needs
//   struct Row                                           what is known of a row, in registers, with a member VkpText text
//   bool evaluate(uint row, out Row x)                   false: null
// and, behind this file,
//   uint bytes_of(inout Row x, uint row, bool valid)     called by whole subgroups, for a row of each lane
//   uint bytes_of_long(Row x, uint row)                  likewise by the whole workgroup, for one row
//   void clear_stage()                                   by the whole workgroup, before anything else
#ifndef STRINGS_ROW_TILES_GLSL
#define STRINGS_ROW_TILES_GLSL

#include "strings/tiles.glsl"

#define ROWS VKP_STRINGS_ROWS

// The rows of this invocation in a tile: a row of lanes each time.
uint row_in_tile(uint r) {
  return (gl_SubgroupID * ROWS + r) * lane_count() + gl_SubgroupInvocationID;
}

struct Tile {
  Row row[ROWS];
  uint before[ROWS];  // bytes of the tile before the row
  uint bytes[ROWS];
  uint valid;  // bit r: that row is not null
  uvec2 total;  // bytes
  bool has_long_rows;  // the same for all
};

uint bytes_of(inout Row x, uint row, bool valid);
uint bytes_of_long(Row x, uint row);
void clear_stage();

// The number of row `r` of this invocation; of one behind the tile that of its last row, so that loads need no branches.
uint existing_row(uint tile, uint r) { return tile * tile_rows() + min(row_in_tile(r), rows_of(tile) - 1u); }

bool is_long(VkpText t) { return t.bytes > VKP_STRINGS_LONG && vkp_u64(arguments().v.spans) != uvec2(0u); }

// Whether row `r` of this lane is one that others write, or not null and none of these.
bool is_long(Tile t, uint r) { return (t.valid >> r & 1u) != 0u && is_long(t.row[r].text); }
bool is_own(Tile t, uint r) { return (t.valid >> r & 1u) != 0u && !is_long(t.row[r].text); }

shared uint next_long;

// The first of the tile's rows that have a bit in `longs` of their lane; 2^32 - 1 if there is none. With barriers.
uint next_long_row(uint longs) {
  barrier();
  next_long = ~0u;
  barrier();
  uint first = ~0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if ((longs >> r & 1u) != 0u) first = min(first, row_in_tile(r));
  }
  atomicMin(next_long, first, gl_ScopeWorkgroup, 0, 0);
  barrier();
  return atomicLoad(next_long, gl_ScopeWorkgroup, 0, 0);
}

void count_long_rows(inout Tile t, uint tile) {
  uint longs = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) longs |= uint(is_long(t, r)) << r;
  for (uint i = next_long_row(longs); i != ~0u; i = next_long_row(longs)) {
    Row x;
    evaluate(tile * tile_rows() + i, x);
    const uint bytes = bytes_of_long(x, tile * tile_rows() + i);
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      if (row_in_tile(r) == i) {
        t.bytes[r] = bytes;
        longs &= ~(1u << r);
      }
    }
  }
}

// Where rows begin in their subgroup's; returns the bytes of all.
uint place_rows(inout Tile t) {
  uint sum = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint upto = vkp_sum_upto_lane(t.bytes[r]);
    t.before[r] = sum + upto - t.bytes[r];
    sum += subgroupShuffle(upto, lane_count() - 1u);
  }
  return sum;
}

Tile make_tile(uint tile) {
  Tile t;
  t.valid = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if (evaluate(existing_row(tile, r), t.row[r])) t.valid |= 1u << r;
  }
  bool has_long_rows = false;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if (row_in_tile(r) >= rows_of(tile)) t.valid &= ~(1u << r);
    has_long_rows = has_long_rows || is_long(t, r);
  }
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    t.bytes[r] = bytes_of(t.row[r], tile * tile_rows() + row_in_tile(r), is_own(t, r));
  }
  // Whether a subgroup has long rows goes above all bytes that there may be.
  const uint above = vkp_any_lane(has_long_rows) ? 1u << 24 : 0u;
  VkpGroupScan scan = vkp_scan_subgroups(uvec2(place_rows(t), above));
  t.has_long_rows = scan.total.y >> 24 != 0u;
  if (t.has_long_rows) {
    count_long_rows(t, tile);
    scan = vkp_scan_subgroups(uvec2(place_rows(t), 0u));
  }
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) t.before[r] += scan.before.x;
  t.total = scan.total;
  return t;
}

// ---- What tiles.glsl asks for.

Tile loaded;

uvec2 bytes_of_tile(uint tile) { return make_tile(tile).total; }

uvec2 load_tile(uint tile) {
  clear_valid();
  clear_stage();
  loaded = make_tile(tile);
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if ((loaded.valid >> r & 1u) != 0u) set_valid(tile, row_in_tile(r));
  }
  return loaded.total;
}

layout(buffer_reference, std430, buffer_reference_align = 4) buffer GridAt {
  nonprivate uint v;
};

// The dispatch behind gets a workgroup for each span of the room for the result. (Relaxed, as only that one reads it.)
void leave_long_rows() {
  if (!loaded.has_long_rows || gl_LocalInvocationIndex != 0u) return;
  const uint shift = arguments().v.span_shift;
  const uint groups = vkp_shr64(vkp_add64(vkp_u64(push.capacity), (1u << shift) - 1u), shift).x;
  atomicMax(GridAt(vkp_add64(vkp_u64(push.scratch), VKP_STRINGS_GRID_OFFSET)).v, groups, gl_ScopeQueueFamily, 0, 0);
}

// By all lanes.
void store_offsets(uint tile, uvec2 prefix) {
  const uint rows = rows_of(tile);
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint i = row_in_tile(r);
    if (i < rows) store_offset(tile * tile_rows() + i, vkp_add64(prefix, loaded.before[r]));
  }
}

#endif

// Tiles whose rows are in registers, some in each lane: what is known of them, how many bytes they
// are, and where in the tile they begin. See tiles.glsl.
//
// A long row (long_rows.glsl) only counts here: what it becomes has been summed up before, and a
// later dispatch writes it.
//
// The includer defines:
// - struct Row: what is known of a row, in registers, with a member VkpText text.
// - bool evaluate(uint row, out Row x): returns false for a null row.
// It defines, behind this file:
// - uint bytes_of(inout Row x, uint row, bool valid): returns the bytes of a row; whole subgroups
//   call it, for a row of each lane.
// - uint bytes_of_long(Row x, LongRow y): returns the bytes of a long row that is known.
// - void vkp_clear_window(): is called by the whole workgroup, before anything else.
#ifndef STRINGS_ROW_TILES_GLSL
#define STRINGS_ROW_TILES_GLSL

#include "vkprims/strings/tiles.glsl"
#include "strings/long_rows.glsl"

#define ROWS VKP_STRINGS_ROWS

// Returns the place in a tile of row `r` of this invocation; each `r` is a row of lanes.
uint row_in_tile(const uint r) {
  return (gl_SubgroupID * ROWS + r) * vkp_lane_count() + gl_SubgroupInvocationID;
}

struct Tile {
  Row row[ROWS];
  uint before[ROWS];  // bytes of the tile before the row
  uint bytes[ROWS];
  uint valid;  // bit r: that row is not null
  uint longs;  // bit r: that row is left to others
  uvec2 total;  // bytes
  bool has_long_rows;  // the same for all
};

uint bytes_of(inout Row x, uint row, bool valid);
uint bytes_of_long(Row x, LongRow y);
void vkp_clear_window();

// Returns the number of row `r` of this invocation; behind the end of the tile, that of its last
// row, so that loads need no branches.
uint existing_row(const uint tile, const uint r) {
  return tile * vkp_tile_rows() + min(row_in_tile(r), vkp_rows_of_tile(tile) - 1u);
}

bool is_long(Tile t, uint r) { return (t.longs >> r & 1u) != 0u; }
bool is_own(Tile t, uint r) { return ((t.valid & ~t.longs) >> r & 1u) != 0u; }

// Places rows in their subgroup's bytes; returns how many bytes all have.
uint place_rows(inout Tile t) {
  uint sum = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint upto = vkp_sum_upto_lane(t.bytes[r]);
    t.before[r] = sum + upto - t.bytes[r];
    sum += subgroupShuffle(upto, vkp_lane_count() - 1u);
  }
  return sum;
}

Tile make_tile(const uint tile) {
  Tile t;
  t.valid = 0u;
  t.longs = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if (evaluate(existing_row(tile, r), t.row[r])) t.valid |= 1u << r;
  }
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if (row_in_tile(r) >= vkp_rows_of_tile(tile)) t.valid &= ~(1u << r);
    uint bytes = 0u;
    if ((t.valid >> r & 1u) != 0u) {
      const LongRow y = long_row(existing_row(tile, r), t.row[r].text);
      if (is_known(y)) {
        t.longs |= 1u << r;
        bytes = bytes_of_long(t.row[r], y);
      }
    }
    t.bytes[r] = bytes + bytes_of(t.row[r], tile * vkp_tile_rows() + row_in_tile(r), is_own(t, r));
  }
  // The flag that a subgroup has long rows goes above all bytes that there may be.
  const uint above = !VKP_NO_LONG_ROWS && vkp_any_lane(t.longs != 0u) ? 1u << 24 : 0u;
  const VkpGroupScan scan = vkp_scan_subgroups(uvec2(place_rows(t), above));
  t.has_long_rows = !VKP_NO_LONG_ROWS && scan.total.y >> 24 != 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) t.before[r] += scan.before.x;
  t.total = uvec2(scan.total.x, scan.total.y & 0xffffffu);
  return t;
}

// ---- What tiles.glsl asks for.

Tile loaded;

uvec2 vkp_bytes_of_tile(uint tile) { return make_tile(tile).total; }

uvec2 vkp_load_tile(uint tile) {
  vkp_clear_valid();
  vkp_clear_window();
  loaded = make_tile(tile);
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if ((loaded.valid >> r & 1u) != 0u) vkp_set_valid(tile, row_in_tile(r));
  }
  return loaded.total;
}

// Stores the offsets of a tile's rows. All lanes call it.
void store_offsets(uint tile, uvec2 prefix) {
  const uint rows = vkp_rows_of_tile(tile);
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint i = row_in_tile(r);
    if (i < rows) vkp_store_offset(tile * vkp_tile_rows() + i, vkp_add64(prefix, loaded.before[r]));
  }
}

#endif

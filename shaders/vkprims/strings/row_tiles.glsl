// Tiles whose rows are in registers, some in each lane: what is known of them, how many bytes they
// are, and where in the tile they begin. See tiles.glsl.
//
// The includer may leave rows to others. Such a long row only counts here: what it becomes has been
// summed up before, and a later dispatch writes it.
//
// The includer defines:
// - VKP_STRING_ROW: a struct of what is known of a row, in registers.
// - bool vkp_evaluate(uint row, out VKP_STRING_ROW x): returns false for a null row.
// - If rows are left to others, VKP_LONG_ROW, a type, with VKP_LONG_ROW_OF(row, x), which makes a
//   value of it for a row that is not null, and VKP_IS_LEFT(y), which says whether the row is left.
// It defines, behind this file:
// - uint vkp_bytes_of_row(inout VKP_STRING_ROW x, uint row, bool valid): returns the bytes of a
//   row; whole subgroups call it, for a row of each lane.
// - If rows are left to others, uint vkp_bytes_of_long(VKP_STRING_ROW x, VKP_LONG_ROW y): returns
//   the bytes of such a row.
// - void vkp_clear_window(): is called by the whole workgroup, before anything else.
#ifndef VKPRIMS_STRINGS_ROW_TILES_GLSL
#define VKPRIMS_STRINGS_ROW_TILES_GLSL

#include "vkprims/strings/tiles.glsl"

#ifdef VKP_LONG_ROW
#define VKP_LEAVES_ROWS (!VKP_NO_LONG_ROWS)
#else
#define VKP_LEAVES_ROWS false
#endif

// Returns the place in a tile of row `r` of this invocation; each `r` is a row of lanes.
uint vkp_place_in_tile(const uint r) {
  return (gl_SubgroupID * VKP_STRINGS_ROWS + r) * vkp_lane_count() + gl_SubgroupInvocationID;
}

struct VkpRowTile {
  VKP_STRING_ROW row[VKP_STRINGS_ROWS];
  uint before[VKP_STRINGS_ROWS];  // bytes of the tile before the row
  uint bytes[VKP_STRINGS_ROWS];
  uint valid;  // bit r: that row is not null
  uint longs;  // bit r: that row is left to others
  uvec2 total;  // bytes
  bool has_long_rows;  // the same for all
};

uint vkp_bytes_of_row(inout VKP_STRING_ROW x, uint row, bool valid);
#ifdef VKP_LONG_ROW
uint vkp_bytes_of_long(VKP_STRING_ROW x, VKP_LONG_ROW y);
#endif
void vkp_clear_window();

// Returns the number of row `r` of this invocation; behind the end of the tile, that of its last
// row, so that loads need no branches.
uint vkp_existing_row(const uint tile, const uint r) {
  return tile * vkp_tile_rows() + min(vkp_place_in_tile(r), vkp_rows_of_tile(tile) - 1u);
}

bool vkp_is_long_row(VkpRowTile t, uint r) { return (t.longs >> r & 1u) != 0u; }
bool vkp_is_own_row(VkpRowTile t, uint r) { return ((t.valid & ~t.longs) >> r & 1u) != 0u; }

// Places rows in their subgroup's bytes; returns how many bytes all have.
uint vkp_place_rows(inout VkpRowTile t) {
  uint sum = 0u;
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint upto = vkp_sum_upto_lane(t.bytes[r]);
    t.before[r] = sum + upto - t.bytes[r];
    sum += subgroupShuffle(upto, vkp_lane_count() - 1u);
  }
  return sum;
}

VkpRowTile vkp_make_tile(const uint tile) {
  VkpRowTile t;
  t.valid = 0u;
  t.longs = 0u;
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    if (vkp_evaluate(vkp_existing_row(tile, r), t.row[r])) t.valid |= 1u << r;
  }
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    if (vkp_place_in_tile(r) >= vkp_rows_of_tile(tile)) t.valid &= ~(1u << r);
    uint bytes = 0u;
#ifdef VKP_LONG_ROW
    if ((t.valid >> r & 1u) != 0u) {
      const VKP_LONG_ROW y = VKP_LONG_ROW_OF(vkp_existing_row(tile, r), t.row[r]);
      if (VKP_IS_LEFT(y)) {
        t.longs |= 1u << r;
        bytes = vkp_bytes_of_long(t.row[r], y);
      }
    }
#endif
    t.bytes[r] = bytes + vkp_bytes_of_row(t.row[r], tile * vkp_tile_rows() + vkp_place_in_tile(r),
                                          vkp_is_own_row(t, r));
  }
  // The flag that a subgroup has long rows goes above all bytes that there may be.
  const uint above = VKP_LEAVES_ROWS && vkp_any_lane(t.longs != 0u) ? 1u << 24 : 0u;
  const VkpGroupScan scan = vkp_scan_subgroups(uvec2(vkp_place_rows(t), above));
  t.has_long_rows = VKP_LEAVES_ROWS && scan.total.y >> 24 != 0u;
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) t.before[r] += scan.before.x;
  t.total = uvec2(scan.total.x, scan.total.y & 0xffffffu);
  return t;
}

// ---- What tiles.glsl asks for.

VkpRowTile vkp_loaded_tile;

uvec2 vkp_bytes_of_tile(uint tile) { return vkp_make_tile(tile).total; }

uvec2 vkp_load_tile(uint tile) {
  vkp_clear_valid();
  vkp_clear_window();
  vkp_loaded_tile = vkp_make_tile(tile);
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    if ((vkp_loaded_tile.valid >> r & 1u) != 0u) vkp_set_valid(tile, vkp_place_in_tile(r));
  }
  return vkp_loaded_tile.total;
}

// Stores the offsets of a tile's rows. All lanes call it.
void vkp_store_offsets(uint tile, uvec2 prefix) {
  const uint rows = vkp_rows_of_tile(tile);
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_place_in_tile(r);
    if (i < rows) {
      vkp_store_offset(tile * vkp_tile_rows() + i, vkp_add64(prefix, vkp_loaded_tile.before[r]));
    }
  }
}

#endif

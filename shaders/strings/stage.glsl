// Tiles of rows whose bytes are put together in a window (window.glsl). Where a tile has more bytes than there is room
// for, window after window is put together. See tiles.glsl.
//
// Needs
//   struct Row                                           what is known of a row, in registers
//   bool evaluate(uint row, out Row x)                   false: null; or, with EVALUATES_ROWS,
//   uint evaluate_rows(uint tile, out Row x[ROWS])       of all rows of this invocation; bit r: that row is not null. And
//   uvec2 bytes_of_tile(uint tile)                       see tiles.glsl
// and, behind this file,
//   uint bytes_of(Row x, uint row, bool valid)           called by whole subgroups, for a row of each lane
//   void stage_rows(Tile t, uint tile, uint first)       puts bytes first, first + 1, … on an empty stage, as t.before counts them
#ifndef STRINGS_STAGE_GLSL
#define STRINGS_STAGE_GLSL

#include "strings/tiles.glsl"
#include "strings/window.glsl"

#define ROWS VKP_STRINGS_ROWS

// The rows of this invocation in a tile: a row of lanes each time.
uint row_in_tile(uint r) {
  return (gl_SubgroupID * ROWS + r) * min(gl_SubgroupSize, gl_WorkGroupSize.x) + gl_SubgroupInvocationID;
}

struct Tile {
  Row row[ROWS];
  uint before[ROWS];  // bytes of the tile before the row
  uint bytes[ROWS];
  uint valid;  // bit r: that row is not null
  uvec2 total;  // bytes
};

uint bytes_of(Row x, uint row, bool valid);
void stage_rows(Tile t, uint tile, uint first);

// The number of row `r` of this invocation; of one behind the tile that of its last row, so that loads need no branches.
uint existing_row(uint tile, uint r) { return tile * tile_rows() + min(row_in_tile(r), rows_of(tile) - 1u); }

#ifdef EVALUATES_ROWS
uint evaluate_rows(uint tile, out Row x[ROWS]);
#else
uint evaluate_rows(uint tile, out Row x[ROWS]) {
  uint valid = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if (evaluate(existing_row(tile, r), x[r])) valid |= 1u << r;
  }
  return valid;
}
#endif

Tile make_tile(uint tile) {
  Tile t;
  t.valid = evaluate_rows(tile, t.row);
  uint sum = 0u;  // bytes of this subgroup so far
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if (row_in_tile(r) >= rows_of(tile)) t.valid &= ~(1u << r);
  }
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    t.bytes[r] = bytes_of(t.row[r], tile * tile_rows() + row_in_tile(r), (t.valid >> r & 1u) != 0u);
    const uint upto = vkp_sum_upto_lane(t.bytes[r]);
    t.before[r] = sum + upto - t.bytes[r];
    sum += subgroupShuffle(upto, min(gl_SubgroupSize, gl_WorkGroupSize.x) - 1u);
  }
  const VkpGroupScan scan = vkp_scan_subgroups(uvec2(sum, 0u));
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) t.before[r] += scan.before.x;
  t.total = scan.total;
  return t;
}

// ---- What tiles.glsl asks for.

Tile loaded;

#ifndef EVALUATES_ROWS
uvec2 bytes_of_tile(uint tile) { return make_tile(tile).total; }
#endif

uvec2 load_tile(uint tile) {
  clear_valid();
  clear_stage();
  loaded = make_tile(tile);
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if ((loaded.valid >> r & 1u) != 0u) set_valid(tile, row_in_tile(r));
  }
  return loaded.total;
}

void store_tile(uint tile, uvec2 total) {
  const uint rows = rows_of(tile);
  uvec2 at = uvec2(0u);
  uint ahead = 0u;  // bytes of its word that come before
  uint bytes = total.x;  // that are stored
  for (uint first = 0u; vkp_any_lane(first < bytes || first == 0u); first += STAGE_BYTES) {
    if (first != 0u) {
      barrier();
      clear_stage();
      barrier();
    }
    stage_rows(loaded, tile, first);
    if (first == 0u) {
      const uvec2 prefix = place_of_tile(tile, total);
      [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
        const uint i = row_in_tile(r);
        if (i < rows) store_offset(tile * tile_rows() + i, vkp_add64(prefix, loaded.before[r]));
      }
      at = vkp_add64(vkp_u64(push.out_chars), prefix);
      ahead = at.x & 3u;
      bytes = vkp_clamped_difference(vkp_u64(push.capacity), prefix, total.x);
    } else {
      barrier();
    }
    const uint end = ahead + min(bytes - first, STAGE_BYTES);
    store_window(vkp_add64(uvec2(at.x - ahead, at.y), first), ahead, end, ahead);
  }
}

#endif

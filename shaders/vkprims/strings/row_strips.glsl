// Tiles of rows that lanes make by themselves, each lane whole rows: in strips, one for each
// subgroup.
//
// A subgroup assembles the bytes of its rows in a region of shared memory of its own while their
// place in the result is not yet known. The workgroup meets once, to add up its strips, and looks
// back. A subgroup makes its strip in rounds of VKP_ROWS_AT_ONCE rows for each lane. A strip that
// has a row of more than VKP_MOST_STAGED bytes, or more bytes than its region, is made piece by
// piece when its place is known (long_row_strips.glsl).
//
// The rows of a strip are neighbours in the columns. Before its first round the subgroup prefetches
// them if the host says so: it loads a word of each sector. A round reads bytes where offsets say
// that they are; both are then in caches, or on their way.
//
// How a round comes about is left to the includer (short_rows.glsl makes it in registers). Needs
//   VKP_STRING_ROW, vkp_evaluate(), vkp_piece(), VKP_MOST_PIECES
//       for any row, as for pieces.glsl; VKP_MOST_PIECES is a literal number
//   VKP_LANE_WORDS
//       words of a region for each lane
//   struct VkpRound
//       a round, with bool valid[VKP_ROWS_AT_ONCE] and uint bytes[VKP_ROWS_AT_ONCE]
// and, behind this file,
//   uint vkp_prefetch_strip(uint tile)
//       loads words near what the rows of this subgroup's strip will read; returns a number that
//       depends on all of them
//   void vkp_load_round(uint tile, uint round, out VkpRound x)
//       rows that do not exist are not valid, and have no bytes
//   void vkp_stage_round(uint round, VkpRound x, uint at[VKP_ROWS_AT_ONCE])
//       puts rows at their places in the region
//   void vkp_stage_others(uint tile)
//       puts the rows that vkp_stage_round() left out at their places (vkp_place_in_region()), by
//       atomics
#ifndef VKPRIMS_STRINGS_ROW_STRIPS_GLSL
#define VKPRIMS_STRINGS_ROW_STRIPS_GLSL

#define VKP_ROWS_AT_ONCE VKP_STRINGS_ROWS_AT_ONCE
#define VKP_MOST_ROUNDS VKP_STRINGS_MOST_ROUNDS
#define VKP_MOST_ROWS_EACH (VKP_ROWS_AT_ONCE * VKP_MOST_ROUNDS)
const uint VKP_MOST_STAGED = 255;  // so that 16 bits number the bytes of one row per lane

// Modules that also serve multi_pass do not prefetch (docs/measurements.md).
#ifdef VKP_STATE_word64
#define VKP_PREFETCHES
#endif

#include "vkprims/strings/tiles.glsl"
#include "vkprims/strings/units.glsl"

bool vkp_evaluate(uint row, out VKP_STRING_ROW x);
VkpText vkp_piece(const VKP_STRING_ROW x, const uint row, const uint k);
uint vkp_prefetch_strip(uint tile);
void vkp_load_round(uint tile, uint round, out VkpRound x);
void vkp_stage_round(uint round, VkpRound x, uint at[VKP_ROWS_AT_ONCE]);
void vkp_stage_others(uint tile);

// ---- The rows of a strip.

uint vkp_rounds_of_strip() { return vkp_tile_rows() / (VKP_ROWS_AT_ONCE * gl_WorkGroupSize.x); }

// Returns row `i` of this lane in a strip. Each i is one row for every lane, neighbours.
uint vkp_row_in_tile(const uint i) {
  return (gl_SubgroupID * vkp_rounds_of_strip() * VKP_ROWS_AT_ONCE + i) * vkp_lane_count() +
         gl_SubgroupInvocationID;
}
// Returns its number in the column. A row behind the tile becomes the tile's last row, so that
// loads need no branches.
uint vkp_existing_row(const uint tile, const uint i) {
  return tile * vkp_tile_rows() + min(vkp_row_in_tile(i), vkp_rows_of_tile(tile) - 1u);
}

// A row as pieces. This is for few rows, and for tiles that others should have done: it is one
// function, and slow.
struct VkpPieces {
  VKP_STRING_ROW row;
  bool valid;  // false: null
  uint bytes;  // 2^32 - 1 if there are more, which no row may have
};

VkpPieces vkp_pieces_of(const uint row) {
  VkpPieces x;
  x.valid = vkp_evaluate(row, x.row);
  x.bytes = 0u;
  if (x.valid) {
    [[unroll]] for (uint k = 0u; k < VKP_MOST_PIECES; ++k) {
      x.bytes += min(vkp_piece(x.row, row, k).bytes, ~x.bytes);
    }
  }
  return x;
}

#include "vkprims/strings/region.glsl"

// ---- A strip.

struct VkpRowStrip {
  // Where in it this lane's rows begin, 16 bits each; the last round first.
  uint at[VKP_MOST_ROUNDS];
  uint bytes;            // valid if it is staged
  bool is_staged;
  uvec2 before;  // bytes of the tile before the strip
};
VkpRowStrip vkp_row_strip;

// Returns where in the region the rows of this lane begin that were staged in a round.
uint vkp_places_in_region(uint round) {
  uint at = vkp_row_strip.at[0];
  const uint last = vkp_rounds_of_strip() - 1u;
  [[unroll]] for (uint k = 1u; k < VKP_MOST_ROUNDS; ++k) {
    at = k == last - round ? vkp_row_strip.at[k] : at;
  }
  return at;
}
uint vkp_place_in_region(uint places, uint r) { return places >> (16u * r) & 0xffffu; }

// Returns the bytes of a strip and keeps nothing. It is for strips of another workgroup's tile and
// for those that are not staged.
uvec2 vkp_bytes_of_strip(const uint tile) {
  uvec2 bytes = uvec2(0u);
  const uint rows = vkp_rounds_of_strip() * VKP_ROWS_AT_ONCE;
  for (uint i = 0u; i < rows; ++i) {
    const VkpPieces x = vkp_pieces_of(vkp_existing_row(tile, i));
    if (vkp_row_in_tile(i) < vkp_rows_of_tile(tile)) bytes = vkp_add64(bytes, x.bytes);
  }
  return vkp_subgroup_fold(bytes);
}

// Whether this dispatch stores rows; else it only counts their bytes.
bool vkp_stages_rows() { return vkp_tiles_pass != VKP_STRINGS_PASS_SIZES; }

// Called by each subgroup: stages its strip if possible. Returns the bytes of the strip.
uvec2 vkp_stage_strip(uint tile) {
  vkp_row_strip.is_staged = true;
  uint sum = 0u;
  [[unroll]] for (uint k = 0u; k < VKP_MOST_ROUNDS; ++k) vkp_row_strip.at[k] = 0u;
  const uint rounds = vkp_rounds_of_strip();
#ifdef VKP_PREFETCHES
  const bool prefetches = (vkp_push.format & VKP_STRINGS_PREFETCH) != 0u;
  const uint prefetched = prefetches ? vkp_prefetch_strip(tile) : 0u;
#endif
  for (uint round = 0u; round < rounds; ++round) {
    VkpRound x;
    vkp_load_round(tile, round, x);
    [[unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) {
      const uint first = vkp_row_in_tile(round * VKP_ROWS_AT_ONCE + r) - gl_SubgroupInvocationID;
      vkp_set_valid_lanes(tile, first, subgroupBallot(x.valid[r]));
    }
    // Both rows are summed at once, in 16 bits each.
    const uint both = x.bytes[0] | x.bytes[1] << 16;
    const uint upto = vkp_sum_upto_lane(both);
    const uint totals = subgroupShuffle(upto, vkp_lane_count() - 1u);
    const uint before = (upto - both) + (sum | (sum + (totals & 0xffffu)) << 16);
    const uint end = sum + (totals & 0xffffu) + (totals >> 16);
    vkp_row_strip.is_staged = vkp_row_strip.is_staged &&
                              !vkp_any_lane(max(x.bytes[0], x.bytes[1]) > VKP_MOST_STAGED) &&
                              end <= vkp_region_bytes();
    if (vkp_row_strip.is_staged) {
      sum = end;
      [[unroll]] for (uint k = VKP_MOST_ROUNDS - 1u; k > 0u; --k) {
        vkp_row_strip.at[k] = vkp_row_strip.at[k - 1u];
      }
      vkp_row_strip.at[0] = before;
      if (vkp_stages_rows()) {
        vkp_stage_round(round, x, uint[](before & 0xffffu, before >> 16));
      }
    }
  }
#ifdef VKP_PREFETCHES
  vkp_store_in_vain(prefetched);  // else compilers would leave out the loads
#endif
  vkp_row_strip.bytes = sum;
  // Rare work is done behind the loop, if need be a second time, as registers decide how many
  // workgroups run at a time.
  if (!vkp_row_strip.is_staged) return vkp_bytes_of_strip(tile);
  if (vkp_stages_rows()) vkp_stage_others(tile);
  return uvec2(sum, 0u);
}

#include "vkprims/strings/long_row_strips.glsl"

// ---- What tiles.glsl needs.

uvec2 vkp_bytes_of_tile(uint tile) { return vkp_fold_subgroups(vkp_bytes_of_strip(tile)); }

uvec2 vkp_load_tile(uint tile) {
  vkp_clear_valid();
  vkp_clear_region();
  // The barriers of the scan release what is staged.
  const VkpGroupScan scan = vkp_scan_subgroups(vkp_stage_strip(tile));
  vkp_row_strip.before = scan.before;
  return scan.total;
}

void vkp_store_tile(uint tile, uvec2 total) {
  const uvec2 position = vkp_add64(vkp_place_of_tile(tile, total), vkp_row_strip.before);
  if (vkp_row_strip.is_staged) {
    vkp_store_strip(tile, position);
  } else {
    vkp_store_long_strip(tile, position);
  }
}

void vkp_rope() { vkp_run_string_tiles(); }

#endif

// Tiles of rows that lanes make by themselves, each lane whole rows: in strips, one for each
// subgroup.
//
// A subgroup assembles the bytes of its rows in a region of shared memory of its own while their
// place in the result is not yet known. The workgroup meets once, to add up its strips, and looks
// back. A subgroup makes its strip in rounds of ROWS_AT_ONCE rows for each lane. A strip that has a
// row of more than MOST_STAGED bytes, or more bytes than its region, is made piece by piece when
// its place is known (long_strips.glsl).
//
// How a round comes about is left to the includer (short_rows.glsl makes it in registers). Needs
//   struct Row, bool evaluate(uint row, out Row x), VkpText piece(Row x, uint row, uint k)
//                                 for any row, as for pieces.glsl; MOST_PIECES is a literal number
//   LANE_WORDS                    words of a region for each lane
//   struct Round                  a round, with bool valid[ROWS_AT_ONCE], uint bytes[ROWS_AT_ONCE]
// and, behind this file,
//   void load_round(uint tile, uint round, out Round x)     rows that do not exist are not valid,
//                                 and have no bytes
//   void stage_round(uint round, Round x, uint at[ROWS_AT_ONCE])   puts rows at their places in the
//                                 region
//   void stage_others(uint tile)  puts the rows that stage_round() left out at their places
//                                 (place_in_region()), by atomics
#ifndef STRINGS_STRIPS_GLSL
#define STRINGS_STRIPS_GLSL

#define ROWS_AT_ONCE VKP_STRINGS_ROWS_AT_ONCE
#define MOST_ROUNDS VKP_STRINGS_MOST_ROUNDS
#define MOST_ROWS_EACH (ROWS_AT_ONCE * MOST_ROUNDS)
const uint MOST_STAGED = 255;  // so that 16 bits number the bytes of one row per lane

#include "vkprims/strings/tiles.glsl"
#include "vkprims/strings/units.glsl"

bool evaluate(uint row, out Row x);
VkpText piece(const Row x, const uint row, const uint k);
void load_round(uint tile, uint round, out Round x);
void stage_round(uint round, Round x, uint at[ROWS_AT_ONCE]);
void stage_others(uint tile);

// ---- The rows of a strip.

uint rounds_of_strip() { return tile_rows() / (ROWS_AT_ONCE * gl_WorkGroupSize.x); }

// Returns row `i` of this lane in a strip. Each i is one row for every lane, neighbours.
uint row_in_tile(const uint i) {
  return (gl_SubgroupID * rounds_of_strip() * ROWS_AT_ONCE + i) * lane_count() + gl_SubgroupInvocationID;
}
// Returns its number in the column. A row behind the tile becomes the tile's last row, so that
// loads need no branches.
uint existing_row(const uint tile, const uint i) {
  return tile * tile_rows() + min(row_in_tile(i), rows_of(tile) - 1u);
}

// A row as pieces. This is for few rows, and for tiles that others should have done: it is one
// function, and slow.
struct Pieces {
  Row row;
  bool valid;  // false: null
  uint bytes;  // 2^32 - 1 if there are more, which no row may have
};

Pieces pieces_of(const uint row) {
  Pieces x;
  x.valid = evaluate(row, x.row);
  x.bytes = 0u;
  if (x.valid) {
    [[unroll]] for (uint k = 0u; k < MOST_PIECES; ++k) x.bytes += min(piece(x.row, row, k).bytes, ~x.bytes);
  }
  return x;
}

#include "vkprims/strings/region.glsl"

// ---- A strip.

struct Strip {
  uint at[MOST_ROUNDS];  // where in it this lane's rows begin, 16 bits each; the last round first
  uint bytes;            // valid if it is staged
  bool is_staged;
  uvec2 before;  // bytes of the tile before the strip
};
Strip strip;

// Returns where in the region the rows of this lane begin that were staged in a round.
uint places_in_region(uint round) {
  uint at = strip.at[0];
  const uint last = rounds_of_strip() - 1u;
  [[unroll]] for (uint k = 1u; k < MOST_ROUNDS; ++k) at = k == last - round ? strip.at[k] : at;
  return at;
}
uint place_in_region(uint places, uint r) { return places >> (16u * r) & 0xffffu; }

// Returns the bytes of a strip and keeps nothing. It is for strips of another workgroup's tile and
// for those that are not staged.
uvec2 bytes_of_strip(const uint tile) {
  uvec2 bytes = uvec2(0u);
  const uint rows = rounds_of_strip() * ROWS_AT_ONCE;
  for (uint i = 0u; i < rows; ++i) {
    const Pieces x = pieces_of(existing_row(tile, i));
    if (row_in_tile(i) < rows_of(tile)) bytes = vkp_add64(bytes, x.bytes);
  }
  return vkp_subgroup_fold(bytes);
}

// Called by each subgroup: stages its strip if possible. Returns the bytes of the strip.
uvec2 stage_strip(uint tile) {
  strip.is_staged = true;
  uint sum = 0u;
  [[unroll]] for (uint k = 0u; k < MOST_ROUNDS; ++k) strip.at[k] = 0u;
  const uint rounds = rounds_of_strip();
  for (uint round = 0u; round < rounds; ++round) {
    Round x;
    load_round(tile, round, x);
    [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
      const uint first = row_in_tile(round * ROWS_AT_ONCE + r) - gl_SubgroupInvocationID;
      set_valid_lanes(tile, first, subgroupBallot(x.valid[r]));
    }
    // Both rows are summed at once, in 16 bits each.
    const uint both = x.bytes[0] | x.bytes[1] << 16;
    const uint upto = vkp_sum_upto_lane(both);
    const uint totals = subgroupShuffle(upto, lane_count() - 1u);
    const uint before = (upto - both) + (sum | (sum + (totals & 0xffffu)) << 16);
    const uint end = sum + (totals & 0xffffu) + (totals >> 16);
    strip.is_staged = strip.is_staged && !vkp_any_lane(max(x.bytes[0], x.bytes[1]) > MOST_STAGED) && end <= region_bytes();
    if (strip.is_staged) {
      sum = end;
      [[unroll]] for (uint k = MOST_ROUNDS - 1u; k > 0u; --k) strip.at[k] = strip.at[k - 1u];
      strip.at[0] = before;
      stage_round(round, x, uint[](before & 0xffffu, before >> 16));
    }
  }
  strip.bytes = sum;
  // Rare work is done behind the loop, if need be a second time, as registers decide how many
  // workgroups run at a time.
  if (!strip.is_staged) return bytes_of_strip(tile);
  stage_others(tile);
  return uvec2(sum, 0u);
}

#include "vkprims/strings/long_strips.glsl"

// ---- What tiles.glsl needs.

uvec2 bytes_of_tile(uint tile) { return vkp_fold_subgroups(bytes_of_strip(tile)); }

uvec2 load_tile(uint tile) {
  clear_valid();
  clear_region();
  // The barriers of the scan release what is staged.
  const VkpGroupScan scan = vkp_scan_subgroups(stage_strip(tile));
  strip.before = scan.before;
  return scan.total;
}

void store_tile(uint tile, uvec2 total) {
  const uvec2 position = vkp_add64(place_of_tile(tile, total), strip.before);
  if (strip.is_staged) {
    store_strip(tile, position);
  } else {
    store_long_strip(tile, position);
  }
}

void rope() { run_tiles(); }

#endif

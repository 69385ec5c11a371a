// String kernels whose rows are made of pieces of other texts: see tiles.glsl.
//
// A tile has so many rows that it has at most TILE_PIECES pieces. Where they are and where in the tile's output they
// begin goes to shared memory. Pieces are read by units, up to 48 bytes as they lie in memory, which are numbered through
// the tile: so the work goes by bytes, whatever the rows, and a long one does not keep anybody busy for longer than many
// short ones. Each round of units, one for each invocation, makes a window of the output (window.glsl).
//
// Where a tile has more than some 12 MB its pieces are copied one after the other instead.
//
// How pieces come about is left to the includer: pieces.glsl (from what is known of a row), cut.glsl (parts of the rows
// of one column). Needs
//   MOST_PIECES                  of a row: a constant, or a number that is the same for all rows; asked for before loops,
//                                not in what ends them (vkprims/README.md)
//   PIECES_ELSEWHERE             defined where pieces may be other than bytes of a, b and the scalars, so that none beside
//                                them may be read
//   void load_pieces(uint tile)  set_piece() for all pieces of all rows of the tile, set_valid(); ends in a barrier
#ifndef STRINGS_ROPE_GLSL
#define STRINGS_ROPE_GLSL

#include "strings/tiles.glsl"
#include "strings/units.glsl"
#include "strings/window.glsl"

#define PIECES_EACH VKP_STRINGS_PIECES  // of an invocation
const uint TILE_PIECES = gl_WorkGroupSize.x * PIECES_EACH;

shared uint piece_starts[TILE_PIECES + 1u];  // where in the tile's output; behind the last one its end
shared uint piece_low[TILE_PIECES];          // address
shared uint piece_high[TILE_PIECES];
shared uint unit_starts[TILE_PIECES + 1u];  // units before

void load_pieces(uint tile);

// (Atomics, as not all subgroups run loops over pieces equally often: vkprims/README.md.)
void set_piece(uint p, VkpText text) {
  atomicStore(piece_starts[p], text.bytes, gl_ScopeWorkgroup, 0, 0);
  atomicStore(piece_low[p], text.at.x, gl_ScopeWorkgroup, 0, 0);
  atomicStore(piece_high[p], text.at.y, gl_ScopeWorkgroup, 0, 0);
}
uint start_of(uint p) { return atomicLoad(piece_starts[min(p, TILE_PIECES)], gl_ScopeWorkgroup, 0, 0); }
uvec2 address_of(uint p) {
  return uvec2(atomicLoad(piece_low[p], gl_ScopeWorkgroup, 0, 0), atomicLoad(piece_high[p], gl_ScopeWorkgroup, 0, 0));
}

// As many 16-byte vectors of memory.
#define UNIT_VECTORS 3
const uint UNIT_BYTES = 16u * UNIT_VECTORS;

// More units than are staged: a tile of so many is huge.
const uint HUGE = 1u << 18;
bool is_huge = false;

// Units that have a byte of `bytes` bytes at `low`; HUGE at most.
uint units_of(uint low, uint bytes) {
  const uint vectors = bytes / 16u + ((low & 15u) + (bytes & 15u) + 15u) / 16u;
  return bytes == 0u ? 0u : min((vectors + UNIT_VECTORS - 1u) / UNIT_VECTORS, HUGE);
}

#include "strings/piece_units.glsl"

// All pieces; then where they and their units begin, unless the tile is huge.
uvec2 load_tile(uint tile) {
  clear_valid();
  make_masks();
  load_pieces(tile);
  const uint pieces = rows_of(tile) * MOST_PIECES;
  uint bytes[PIECES_EACH], units[PIECES_EACH];
  uvec2 sum = uvec2(0u);  // bytes, units
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    bytes[e] = p < pieces ? piece_starts[p] : 0u;
    units[e] = units_of(piece_low[p], bytes[e]);
    sum = vkp_add64(sum, uvec2(bytes[e], units[e]));
  }
  // Both at once, as bytes of fewer than HUGE units do not reach into the upper half.
  const VkpGroupScan scan = vkp_scan_workgroup(sum);  // with barriers
  is_huge = scan.total.y >= HUGE;
  if (is_huge) {
    sum = uvec2(0u);
    [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) sum = vkp_add64(sum, bytes[e]);
    return vkp_scan_workgroup(sum).total;
  }
  uint start = scan.before.x;
  uint unit = scan.before.y;
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    piece_starts[p] = start;
    unit_starts[p] = unit;
    start += bytes[e];
    unit += units[e];
  }
  if (own() == gl_WorkGroupSize.x - 1u) {
    piece_starts[TILE_PIECES] = start;
    unit_starts[TILE_PIECES] = unit;
  }
  barrier();
  return uvec2(scan.total.x, 0u);
}

// ---- Bytes.

shared uint round_begin;  // bytes of the tile that a round has
shared uint round_end;

// What this invocation has of a round.
Unit unit;
uvec4 bytes_of_unit[UNIT_VECTORS];

// Asks for the bytes of a round, of which the first unit is number `first`; behind the last one in vain. Memory answers
// late: so early, and without branches.
void load_round(uint first) {
  const uint units = unit_starts[TILE_PIECES];
  const uint number = first + own();
  unit = unit_of_tile(min(number, units - 1u));
  load_unit(unit, bytes_of_unit);
  if (own() == 0u) round_begin = uint(unit.place) + unit.begin;
  if (number == min(units, first + gl_WorkGroupSize.x) - 1u) round_end = uint(unit.place) + unit.end;
}

// The first `bytes` bytes of the tile.
void store_pieces(uvec2 prefix, uint bytes) {
  const uvec2 at = vkp_add64(vkp_u64(push.out_chars), prefix);
  const uint units = unit_starts[TILE_PIECES];
  for (uint first = 0u; first < units; first += gl_WorkGroupSize.x) {
    barrier();
    clear_stage();
    const uint begin = round_begin;
    const uint end = min(round_end, bytes);
    barrier();
    if (first + own() < units) stage_unit(unit, unit.place - int(begin), bytes_of_unit);
    load_round(first + gl_WorkGroupSize.x);
    barrier();
    if (begin >= end) break;
    store_window(vkp_add64(at, begin), end - begin);
  }
}

// ---- Offsets.

void store_offsets(uint tile, uvec2 prefix) {
  const uint rows = rows_of(tile);
  const uint most = MOST_PIECES;
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint start = start_of(i * most);
    if (i < rows) store_offset(tile * tile_rows() + i, vkp_add64(prefix, start));
  }
}

// All pieces of a huge tile, each by the whole workgroup.
void store_huge(uint tile, uvec2 position) {
  const uint most = MOST_PIECES;
  const uint pieces = rows_of(tile) * most;
  for (uint p = 0u; p < pieces; ++p) {
    const uint bytes = piece_starts[p];  // their lengths still
    const uvec2 at = uvec2(piece_low[p], piece_high[p]);
    if (p % most == 0u && own() == 0u) store_offset(tile * tile_rows() + p / most, position);
    store_copy(position, at, bytes);
    position = vkp_add64(position, bytes);
  }
}

void store_tile(uint tile, uvec2 total) {
  if (!is_huge && unit_starts[TILE_PIECES] != 0u) load_round(0u);
  const uvec2 prefix = place_of_tile(tile, total);
  if (is_huge) {
    store_huge(tile, prefix);
  } else {
    store_offsets(tile, prefix);
    store_pieces(prefix, vkp_clamped_difference(vkp_u64(push.capacity), prefix, total.x));
  }
}

void rope() { run_tiles(); }

#endif

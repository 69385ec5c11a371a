// String kernels whose rows are made of pieces of other texts: see tiles.glsl.
//
// A tile has so many rows that it has at most TILE_PIECES pieces. Where they are and where in the tile's output they
// begin goes to shared memory. Pieces are read by units, 16 bytes as they lie in memory, which are numbered through the
// tile: so the work goes by bytes, whatever the rows, and a long one does not keep anybody busy for longer than many
// short ones. They are put where they belong in a window of the output (window.glsl), window after window.
//
// Where a tile has more than some 16 MB its pieces are copied one after the other instead.
//
// How pieces come about is left to the includer: pieces.glsl (from what is known of a row), cut.glsl (parts of the rows
// of one column). Needs
//   MOST_PIECES                  of a row: a constant, or a number that is the same for all rows; asked for before loops,
//                                not in what ends them (vkprims/README.md)
//   PIECES_ELSEWHERE             defined where pieces may be other than bytes of a, b and the scalars, so that none beside
//                                them may be read
//   PIECES_OF_A                  defined where all of them are bytes of a
//   void load_pieces(uint tile)  set_piece() for all pieces of all rows of the tile, set_valid(); ends in a barrier
#ifndef STRINGS_ROPE_GLSL
#define STRINGS_ROPE_GLSL

#include "strings/tiles.glsl"
#include "strings/units.glsl"
#include "strings/window.glsl"

#define PIECES_EACH VKP_STRINGS_PIECES  // of an invocation
const uint TILE_PIECES = gl_WorkGroupSize.x * PIECES_EACH;

// The upper words of addresses are known if all pieces are of one column of at most 4 GiB.
#ifdef PIECES_OF_A
#define HIGH_IS_KNOWN VKP_PLAIN_COLUMNS
#else
#define HIGH_IS_KNOWN false
#endif
const uint HIGH_WORDS = HIGH_IS_KNOWN ? 1u : TILE_PIECES;  // so that more workgroups find room

shared uint piece_starts[TILE_PIECES + 1u];  // where in the tile's output; behind the last one its end
shared uint piece_low[TILE_PIECES];          // address
shared uint piece_high[HIGH_WORDS];
shared uint unit_starts[TILE_PIECES + 1u];  // units before

void load_pieces(uint tile);

// (Atomics, as not all subgroups run loops over pieces equally often: vkprims/README.md.)
void set_piece(uint p, VkpText text) {
  atomicStore(piece_starts[p], text.bytes, gl_ScopeWorkgroup, 0, 0);
  atomicStore(piece_low[p], text.at.x, gl_ScopeWorkgroup, 0, 0);
  if (!HIGH_IS_KNOWN) atomicStore(piece_high[p], text.at.y, gl_ScopeWorkgroup, 0, 0);
}
uint start_of(uint p) { return atomicLoad(piece_starts[min(p, TILE_PIECES)], gl_ScopeWorkgroup, 0, 0); }
uvec2 address_of(uint p) {
  const uint low = atomicLoad(piece_low[p], gl_ScopeWorkgroup, 0, 0);
  const uvec2 first = vkp_u64(push.a.chars);
  if (HIGH_IS_KNOWN) return uvec2(low, low < first.x ? first.y + 1u : first.y);
  return uvec2(low, atomicLoad(piece_high[p], gl_ScopeWorkgroup, 0, 0));
}

// More units than are staged: a tile of so many is huge.
const uint HUGE = 1u << 20;
bool is_huge = false;
bool is_indexed = false;  // piece_index.glsl

// Units that have a byte of `bytes` bytes at `low`; HUGE at most. (One that has none, if there are no bytes: so no two pieces
// begin with the same.)
uint units_of(uint low, uint bytes) {
  return bytes == 0u ? 1u : min(bytes / 16u + ((low & 15u) + (bytes & 15u) + 15u) / 16u, HUGE);
}

#include "strings/piece_index.glsl"

// All pieces; then where they and their units begin, unless the tile is huge.
uvec2 load_tile(uint tile) {
  clear_valid();
  clear_index();
  load_pieces(tile);
  const uint pieces = rows_of(tile) * MOST_PIECES;
  uint bytes[PIECES_EACH], units[PIECES_EACH];
  uvec2 sum = uvec2(0u);  // bytes, units
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    bytes[e] = p < pieces ? piece_starts[p] : 0u;
    units[e] = p < pieces ? units_of(piece_low[p], bytes[e]) : 0u;
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
  is_indexed = has_index(scan.total.y);
  uint start = scan.before.x;
  uint unit = scan.before.y;
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    piece_starts[p] = start;
    unit_starts[p] = unit;
    if (is_indexed && p < pieces) index_piece(p, unit, units[e]);
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

#include "strings/piece_units.glsl"

#include "strings/piece_windows.glsl"

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
    const uvec2 at = address_of(p);
    if (p % most == 0u && own() == 0u) store_offset(tile * tile_rows() + p / most, position);
    store_copy(position, at, bytes);
    position = vkp_add64(position, bytes);
  }
}

// The first bytes are staged as they lie in the tile, and moved to their places when they are stored: so they are on their
// way while it is not known yet where the tile's place is. The others are staged as they lie in words of the result.
void store_tile(uint tile, uvec2 total) {
  if (is_huge) {
    store_huge(tile, place_of_tile(tile, total));
    return;
  }
  uint unit = 0u;
  uint end = 0u;
  if (total.x != 0u) end = stage_window(0u, 0u, total.x, unit);
  const uvec2 prefix = place_of_tile(tile, total);
  store_offsets(tile, prefix);
  const uvec2 at = vkp_add64(vkp_u64(push.out_chars), prefix);
  const uint bytes = vkp_clamped_difference(vkp_u64(push.capacity), prefix, total.x);
  uint lead = at.x & 3u;
  if (bytes != 0u) store_window(uvec2(at.x - lead, at.y), lead, lead + min(end, bytes), lead);
  while (end < bytes) {
    const uint begin = end;
    lead = at.x + begin & 3u;
    end = stage_window(begin, lead, total.x, unit);
    store_window(vkp_sub64(vkp_add64(at, begin), uvec2(lead, 0u)), lead, lead + min(end, bytes) - begin, 0u);
  }
}

void rope() { run_tiles(); }

#endif

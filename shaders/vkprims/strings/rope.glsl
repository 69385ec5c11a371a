// String kernels whose rows are made of pieces of other texts; see tiles.glsl.
//
// A tile has so many rows that it has at most VKP_TILE_PIECES pieces. The addresses of the pieces,
// and where in the tile's output they begin, go to shared memory. Pieces are read by units, which
// are 16 bytes as they lie in memory and are numbered through the tile. So work is distributed by
// bytes, whatever the rows are, and a long row does not keep an invocation busy for longer than
// many short ones do. The units are assembled in a window of the output (window.glsl), window after
// window.
//
// Where a tile has more than a MiB, its pieces are copied one by one instead: short ones by a lane
// each, others by the whole workgroup, or, if they are long, by many workgroups in a later dispatch
// (spans.glsl).
//
// How pieces come about is left to the includer: pieces.glsl makes them from a description of each
// row. Needs
//   VKP_MOST_PIECES
//       the pieces of a row: a constant, or a number that is the same for all rows; it is read
//       before loops, not in their conditions (vkprims/README.md)
//   VKP_PIECES_ELSEWHERE
//       defined where pieces may be other than bytes of a, b and the scalars, so that nothing
//       beside them may be read
//   VKP_PIECES_OF_A
//       defined where all of them are bytes of a
//   VKP_BACKWARD, VKP_EVERY_SECOND
//       whether the bytes of a piece come in reverse order, and whether only every second one is
//       taken, from the first on; the same for all pieces. Pieces that come in reverse order are
//       given by complements of addresses
//   VKP_SEES_BYTES
//       defined where all bytes of pieces are to be inspected: void vkp_see_bytes(uvec4 x) is
//       called with them
//   VKP_IS_ATTEMPT
//       defined where another kernel follows, which does all the work again if this one calls
//       vkp_give_up()
//   void vkp_load_pieces(uint tile)
//       calls vkp_set_piece() for all pieces of all rows of the tile, and vkp_set_valid(); ends in
//       a barrier
#ifndef VKPRIMS_STRINGS_ROPE_GLSL
#define VKPRIMS_STRINGS_ROPE_GLSL

#include "vkprims/strings/tiles.glsl"
#include "vkprims/strings/spans.glsl"
#include "vkprims/strings/units.glsl"
#include "vkprims/strings/window.glsl"

#ifndef VKP_EVERY_SECOND
#define VKP_EVERY_SECOND false
#endif

// The pieces of an invocation are those of whole rows, if rows have a constant number of pieces.
#ifdef VKP_EVALUATES_BY_PIECES
#define VKP_PIECES_EACH VKP_STRINGS_PIECES
#else
#define VKP_PIECES_EACH (VKP_STRINGS_PIECES / VKP_MOST_PIECES * VKP_MOST_PIECES)
#endif
const uint VKP_TILE_PIECES = gl_WorkGroupSize.x * VKP_PIECES_EACH;
#define VKP_UNITS_AT_ONCE 3  // of an invocation, see piece_units.glsl
const uint VKP_UNITS_OF_ROUND = VKP_UNITS_AT_ONCE * gl_WorkGroupSize.x;

// The upper words of addresses are known if all pieces belong to one column of less than 2 GiB.
#ifdef VKP_PIECES_OF_A
#define VKP_HIGH_IS_KNOWN VKP_NARROW_COLUMNS
#else
#define VKP_HIGH_IS_KNOWN false
#endif
// The array is small where possible, so that more workgroups find room.
const uint VKP_HIGH_WORDS = VKP_HIGH_IS_KNOWN ? 1u : VKP_TILE_PIECES;

// At first the pieces are addresses and numbers of bytes; once the tile is loaded, they are what
// vkp_unit_of_piece() (piece_units.glsl) reads. The lower words then have 16 bytes less for each
// unit before the piece.
shared uint vkp_piece_low[VKP_TILE_PIECES];
shared uint vkp_piece_high[VKP_HIGH_WORDS];
// At first these are numbers of bytes, then the places in the tile's output where pieces begin.
shared uint vkp_piece_starts[VKP_TILE_PIECES + 1u];
// Each is 16 times the number of units before the piece, plus the place of the piece's last byte in
// its last unit.
shared uint vkp_piece_units[VKP_TILE_PIECES + 1u];

shared uint vkp_some_edge;  // some piece has bytes of the first or the last unit of a column

void vkp_load_pieces(uint tile);

// The number of bytes that a piece has in the result.
uint vkp_bytes_in_result(uint bytes) {
  return VKP_EVERY_SECOND ? (bytes >> 1) + (bytes & 1u) : bytes;
}

// The address of an empty piece, which lies in a unit that may be read.
uvec2 vkp_nowhere() {
#ifdef VKP_PIECES_OF_A
  const uvec2 at = vkp_add64(vkp_first_address(vkp_push.a), 16u);
#else
  const uvec2 at = vkp_u64(vkp_push.scratch);
#endif
  // No word of the unit has bytes of the piece, so vkp_load_words() loads nothing.
  return uvec2(at.x & ~15u | 4u, at.y);
}

// Atomics are used, as not all subgroups run loops over pieces equally often: vkprims/README.md.
void vkp_set_text(uint p, VkpText text) {
  atomicStore(vkp_piece_starts[p], text.bytes, gl_ScopeWorkgroup, 0, 0);
  atomicStore(vkp_piece_low[p], text.at.x, gl_ScopeWorkgroup, 0, 0);
  if (!VKP_HIGH_IS_KNOWN) atomicStore(vkp_piece_high[p], text.at.y, gl_ScopeWorkgroup, 0, 0);
}
void vkp_set_piece(uint p, VkpText text) {
  if (text.bytes == 0u) text.at = vkp_nowhere();
  vkp_set_text(p, text);
}
uint vkp_start_of_piece(uint p) {
  return atomicLoad(vkp_piece_starts[min(p, VKP_TILE_PIECES)], gl_ScopeWorkgroup, 0, 0);
}

// Returns the address of a unit from its lower word and the piece that it belongs to.
uvec2 vkp_whole_address(const uint low, const uint p) {
  const uvec2 first = vkp_first_address(vkp_push.a);
  if (VKP_HIGH_IS_KNOWN) return uvec2(low, low < (first.x & ~15u) ? first.y + 1u : first.y);
  return uvec2(low, atomicLoad(vkp_piece_high[p], gl_ScopeWorkgroup, 0, 0));
}
// The address of a piece, before the tile is loaded.
uvec2 vkp_address_of_piece(const uint p) {
  return vkp_whole_address(atomicLoad(vkp_piece_low[p], gl_ScopeWorkgroup, 0, 0), p);
}

// A tile that has so many units is huge: its pieces are not staged.
#ifdef VKP_IS_ATTEMPT
#define VKP_HUGE_TILE_UNITS (1u << 20)  // a huge tile is given up then
#else
#define VKP_HUGE_TILE_UNITS (VKP_NO_LONG_ROWS ? 1u << 20 : 1u << 16)
#endif
bool vkp_is_huge = false;
bool vkp_is_indexed = false;  // piece_index.glsl
bool vkp_is_careful = false;  // units may have bytes that may not be read

// Returns the number of units that have a byte of a piece, at most VKP_HUGE_TILE_UNITS. An empty
// piece has one unit, too, so that no two pieces begin with the same unit number.
uint vkp_units_of_piece(uint low, uint bytes) {
  return min(bytes / 16u + ((low & 15u) + (bytes & 15u) + 15u) / 16u, VKP_HUGE_TILE_UNITS);
}

// Whether units of the tile may have bytes that may not be read. This is called behind the barriers
// of a scan; other invocations set vkp_some_edge before them.
bool vkp_may_not_read_all() {
#ifdef VKP_PIECES_ELSEWHERE
  return true;
#else
#ifdef VKP_PIECES_OF_A
  // The unit of vkp_nowhere() does not lie in such a column.
  if (vkp_less64(vkp_u64(vkp_push.a.bytes), uvec2(48u, 0u))) return true;
#endif
  return vkp_some_edge != 0u;
#endif
}

#include "vkprims/strings/piece_index.glsl"

// Loads all pieces, and then determines where they and their units begin, unless the tile is huge.
uvec2 vkp_load_tile(uint tile) {
  vkp_some_edge = 0u;
  vkp_clear_valid();
  vkp_clear_index();
  vkp_load_pieces(tile);
  const uint pieces = vkp_rows_of_tile(tile) * VKP_MOST_PIECES;
  uint low[VKP_PIECES_EACH], bytes[VKP_PIECES_EACH], bytes_out[VKP_PIECES_EACH],
      units[VKP_PIECES_EACH];
  uvec2 sum = uvec2(0u);  // bytes, units
  bool some_edge_here = false;
  [[unroll]] for (uint e = 0u; e < VKP_PIECES_EACH; ++e) {
    const uint p = vkp_lane_of_tile() * VKP_PIECES_EACH + e;
    low[e] = vkp_piece_low[p];
    bytes[e] = p < pieces ? vkp_piece_starts[p] : 0u;
    units[e] = p < pieces ? vkp_units_of_piece(low[e], bytes[e]) : 0u;
    some_edge_here = some_edge_here || p < pieces && vkp_has_edge(low[e], bytes[e]);
    bytes_out[e] = vkp_bytes_in_result(bytes[e]);
    sum = vkp_add64(sum, uvec2(bytes_out[e], units[e]));
  }
  if (some_edge_here) atomicStore(vkp_some_edge, 1u, gl_ScopeWorkgroup, 0, 0);
  // Bytes and units are scanned together, as the bytes of fewer than VKP_HUGE_TILE_UNITS units do
  // not reach into the upper half.
  const VkpGroupScan scan = vkp_scan_workgroup(sum);  // with barriers
  vkp_is_huge = scan.total.y >= VKP_HUGE_TILE_UNITS;
  if (vkp_is_huge) {
    sum = uvec2(0u);
    [[unroll]] for (uint e = 0u; e < VKP_PIECES_EACH; ++e) sum = vkp_add64(sum, bytes_out[e]);
    return vkp_scan_workgroup(sum).total;
  }
  vkp_is_careful = vkp_may_not_read_all();
  vkp_is_indexed = vkp_has_index(scan.total.y);
  if (vkp_is_indexed) vkp_index_units(scan.before.y, units);
  uint start = scan.before.x;
  uint unit = scan.before.y;
  [[unroll]] for (uint e = 0u; e < VKP_PIECES_EACH; ++e) {
    const uint p = vkp_lane_of_tile() * VKP_PIECES_EACH + e;
    if (!VKP_HIGH_IS_KNOWN) vkp_piece_high[p] -= low[e] < 16u * unit ? 1u : 0u;
    vkp_piece_low[p] = low[e] - 16u * unit;
    vkp_piece_starts[p] = start;
    vkp_piece_units[p] = 16u * unit | low[e] + bytes[e] - 1u & 15u;
    start += bytes_out[e];
    unit += units[e];
  }
  if (vkp_lane_of_tile() == gl_WorkGroupSize.x - 1u) {
    vkp_piece_starts[VKP_TILE_PIECES] = start;
    vkp_piece_units[VKP_TILE_PIECES] = 16u * unit;
  }
  barrier();
  return uvec2(scan.total.x, 0u);
}

#include "vkprims/strings/piece_units.glsl"

#include "vkprims/strings/piece_windows.glsl"

// ---- Offsets.

void vkp_store_offsets(uint tile, uvec2 prefix) {
  const uint rows = vkp_rows_of_tile(tile);
  const uint most = VKP_MOST_PIECES;
  const uint rounds = (vkp_tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + vkp_lane_of_tile();
    const uint start = vkp_start_of_piece(i * most);
    if (i < rows) vkp_store_offset(tile * vkp_tile_rows() + i, vkp_add64(prefix, start));
  }
}

const uint VKP_MOST_OF_LANE = 256;  // bytes of a piece that one lane copies

// Stores all pieces of a huge tile: first the short ones, a lane each, together with the offsets of
// the rows; then the others one by one. (Where the caller promised that no row is long, a huge tile
// is as rare as a broken promise and registers matter more: there all pieces are copied one by
// one.)
void vkp_store_huge(uint tile, uvec2 position) {
  const uint most = VKP_MOST_PIECES;
  const uint pieces = vkp_rows_of_tile(tile) * most;
  if (VKP_NO_LONG_ROWS) {
    for (uint p = 0u; p < pieces; ++p) {
      const uint bytes = vkp_piece_starts[p];  // still the lengths
      const uvec2 at = vkp_address_of_piece(p);
      if (p % most == 0u && vkp_lane_of_tile() == 0u) {
        vkp_store_offset(tile * vkp_tile_rows() + p / most, position);
      }
      vkp_store_copy(position, at, bytes);
      position = vkp_add64(position, bytes);
    }
    return;
  }
  uvec2 round_position = position;
  for (uint first = 0u; first < pieces; first += gl_WorkGroupSize.x) {
    const uint p = first + vkp_lane_of_tile();
    // Shared memory still has the lengths.
    const uint bytes = p < pieces ? vkp_piece_starts[min(p, VKP_TILE_PIECES - 1u)] : 0u;
    const VkpGroupScan scan = vkp_scan_workgroup(uvec2(bytes, 0u));
    const uvec2 at = vkp_add64(round_position, scan.before);
    if (p < pieces && p % most == 0u) vkp_store_offset(tile * vkp_tile_rows() + p / most, at);
    if (bytes <= VKP_MOST_OF_LANE) {
      vkp_store_copy(at, vkp_address_of_piece(min(p, VKP_TILE_PIECES - 1u)), bytes, 0u, 1u);
    }
    round_position = vkp_add64(round_position, scan.total);
  }
  for (uint p = 0u; p < pieces; ++p) {
    const uint bytes = vkp_piece_starts[p];
    if (bytes > VKP_MOST_OF_LANE) {
      const uvec2 at = vkp_address_of_piece(p);
      const uint left = vkp_leave_spans(position, at, bytes, vkp_lane_of_tile() == 0u);
      vkp_store_copy(vkp_add64(position, left), vkp_add64(at, left), bytes - left);
    }
    position = vkp_add64(position, bytes);
  }
}

// The first window is staged as its bytes lie in the tile, and its bytes are moved to their places
// when they are stored; so its loads are under way while the tile's place in the result is not yet
// known. The other windows are staged as they lie in words of the result. Bytes behind the last
// whole word of a window are the first of the next one.
void vkp_store_tile(uint tile, uvec2 total) {
  uint end = 0u;  // of the window, in the tile
  uint unit = 0u;
  if (!vkp_is_huge) {
    unit = vkp_end_of_window(0u, 0u, 0u, end);
    if (total.x != 0u) vkp_stage_units(0u, 0u, unit, 0u);
  }
  const uvec2 prefix = vkp_place_of_tile(tile, total);
  if (vkp_is_huge) {
#ifdef VKP_IS_ATTEMPT
    vkp_give_up();
#else
    vkp_store_huge(tile, prefix);
#endif
    return;
  }
  vkp_store_offsets(tile, prefix);
  const uvec2 at = vkp_add64(vkp_u64(vkp_push.out_chars), prefix);
  const uint bytes = vkp_clamped_difference(vkp_u64(vkp_push.capacity), prefix, total.x);
#ifdef VKP_IS_ATTEMPT
  if (bytes != total.x) {
    vkp_give_up();
    return;
  }
#endif
  if (bytes == 0u) return;
  uint lead = at.x & 3u;   // bytes of the first word that are before the window
  uint first = lead;       // bytes of the first word that are before the tile
  uint stop = vkp_end_of_words(lead + min(end, bytes), end >= bytes);
  vkp_store_window(uvec2(at.x - lead, at.y), first, stop, lead);
  uint left = vkp_window_word(int(stop / 4u), lead);
#ifdef VKP_SEES_BYTES
  // The last unit may have no byte of the result.
  const uint units = vkp_piece_units[VKP_TILE_PIECES] / 16u;
#else
  const uint units = 0u;
#endif
  while (end < bytes || unit < units) {
    if (stop >= 4u) first = 0u;  // else that word is still the one that has bytes before the tile
    const uint begin = end;
    lead = at.x + begin & 3u;
    const uint from = unit;
    unit = vkp_end_of_window(from, begin, lead, end);
    vkp_stage_units(begin - lead, from, unit, left);
    stop = vkp_end_of_words(lead + min(end, bytes) - begin, end >= bytes);
    vkp_store_window(vkp_sub64(vkp_add64(at, begin), uvec2(lead, 0u)), first, stop, 0u);
    left = vkp_window_word(int(stop / 4u), 0u);
  }
}

void vkp_rope() { vkp_run_string_tiles(); }

#endif

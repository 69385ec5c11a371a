// String kernels whose rows are made of pieces of other texts: see tiles.glsl.
//
// A tile has so many rows that it has at most TILE_PIECES pieces. Where they are and where in the tile's output they
// begin goes to shared memory. The output is made by units of 16 bytes as they lie in memory: an invocation looks up in
// which piece its unit begins, and puts it together from there on. So the work goes by bytes, whatever the rows: a long
// one does not keep anybody busy for longer than many short ones. Units that two tiles have in common are stored word by
// word, and of words each replaces its own bytes.
//
// What two pieces give to each of the UNITS units that an invocation makes at once (units.glsl) is asked for before any of
// it is used.
//
// Where a tile has so many bytes that 32 bits do not number them, its pieces go one after the other instead.
//
// How pieces come about is left to the includer: pieces.glsl (from what is known of a row), cut.glsl (parts of the rows
// of one column). Needs
//   MOST_PIECES                  of a row: a constant, or a number that is the same for all rows; asked for before loops,
//                                not in what ends them (vkprims/README.md)
//   void load_pieces(uint tile)  set_piece() for all pieces of all rows of the tile, set_valid(); ends in a barrier
#ifndef STRINGS_ROPE_GLSL
#define STRINGS_ROPE_GLSL

#include "strings/tiles.glsl"
#include "strings/units.glsl"

#define PIECES_EACH VKP_STRINGS_PIECES  // of an invocation
const uint TILE_PIECES = gl_WorkGroupSize.x * PIECES_EACH;

shared uint piece_starts[TILE_PIECES + 1u];  // where in the tile's output; behind the last one its end
// Where byte 0 of the tile's output would lie if all were the piece.
shared uint piece_low[TILE_PIECES];
shared uint piece_high[TILE_PIECES];

void load_pieces(uint tile);

// (Atomics, as not all subgroups run loops over pieces equally often: vkprims/README.md.)
void set_piece(uint p, VkpText text) {
  atomicStore(piece_starts[p], text.bytes, gl_ScopeWorkgroup, 0, 0);
  atomicStore(piece_low[p], text.at.x, gl_ScopeWorkgroup, 0, 0);
  atomicStore(piece_high[p], text.at.y, gl_ScopeWorkgroup, 0, 0);
}
uint start_of(uint p) { return atomicLoad(piece_starts[min(p, TILE_PIECES)], gl_ScopeWorkgroup, 0, 0); }
uvec2 base_of(uint p) {
  return uvec2(atomicLoad(piece_low[p], gl_ScopeWorkgroup, 0, 0), atomicLoad(piece_high[p], gl_ScopeWorkgroup, 0, 0));
}

// Whether bytes of a tile have numbers of 31 bits.
bool is_huge(uvec2 total) { return total.y != 0u || total.x >= 0x80000000u; }

// All pieces; then where they begin, unless the tile is huge.
uvec2 load_tile(uint tile) {
  clear_valid();
  load_pieces(tile);
  const uint pieces = rows_of(tile) * MOST_PIECES;
  uint bytes[PIECES_EACH];
  uvec2 sum = uvec2(0u);
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    bytes[e] = p < pieces ? piece_starts[p] : 0u;
    sum = vkp_add64(sum, bytes[e]);
  }
  const VkpGroupScan scan = vkp_scan_workgroup(sum);  // with barriers
  if (is_huge(scan.total)) return scan.total;
  uint start = scan.before.x;
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    piece_starts[p] = start;
    const uvec2 base = vkp_sub64(uvec2(piece_low[p], piece_high[p]), uvec2(start, 0u));
    piece_low[p] = base.x;
    piece_high[p] = base.y;
    start += bytes[e];
  }
  if (own() == gl_WorkGroupSize.x - 1u) piece_starts[TILE_PIECES] = start;
  barrier();
  return scan.total;
}

// ---- Bytes.

// The last piece that begins at byte `at` of the tile's output or before: the one that it is in.
uint piece_at(uint at) {
  uint p = 0u;
  for (uint step = TILE_PIECES / 2u; step != 0u; step /= 2u) {
    if (piece_starts[p + step] <= at) p += step;
  }
  return p;
}

// A unit that is being made: 16 bytes of the tile's output from `first` on, which may be negative.
struct Unit {
  uvec4 x;
  int first;
  uint at, limit;  // what is made next, and where it ends
  uint p;          // the piece that has it
};

// Adds what piece `p` has of the unit, and goes on to the next one.
void add_piece(inout Unit unit) {
  const uint bytes = max(min(start_of(unit.p + 1u), unit.limit), unit.at) - unit.at;
  if (bytes != 0u) {
    const uvec4 x = load_bytes(vkp_add64(base_of(unit.p), unit.at), bytes);
    unit.x |= vkp_move_up(x, uint(int(unit.at) - unit.first));
  }
  unit.at += bytes;
  unit.p = min(unit.p + 1u, TILE_PIECES - 1u);
}

// The 16 bytes from `first` on, as far as they lie before `end`.
Unit begin_unit(int first, uint end) {
  const uint at = uint(max(first, 0));
  return Unit(uvec4(0u), first, at, min(uint(max(first + 16, 0)), end), piece_at(at));
}

void store_pieces(uvec2 prefix, uint bytes) {
  const Target target = target_of(prefix, bytes);
  const uint rounds = rounds_of(target, UNITS);
  for (uint round = 0u; round < rounds; ++round) {
    const uint u = round * UNITS * gl_WorkGroupSize.x + own();
    Unit unit[UNITS];
    [[unroll]] for (uint j = 0u; j < UNITS; ++j) {
      unit[j] = begin_unit(int(16u * (u + j * gl_WorkGroupSize.x)) - int(target.ahead), target.room);
      add_piece(unit[j]);
      add_piece(unit[j]);
    }
    [[unroll]] for (uint j = 0u; j < UNITS; ++j) {
      while (unit[j].at < unit[j].limit) add_piece(unit[j]);
      store_unit(target, u + j * gl_WorkGroupSize.x, unit[j].x);
    }
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

void prepare_tile(uint tile) {}

void store_tile_bytes(uint tile, uvec2 prefix, uvec2 total) {
  if (is_huge(total)) {
    store_huge(tile, prefix);
  } else {
    store_offsets(tile, prefix);
    store_pieces(prefix, total.x);
  }
}

void rope() { run_tiles(); }

#endif

// Makes the pieces of ropes (rope.glsl) from a description of each row.
//
// Needs, before this file,
//   struct Row                                the description of a row
//   bool evaluate(uint row, out Row x)        false: the row is null
//   VkpText piece(Row x, uint row, uint k)    piece k of MOST_PIECES; empty where there is none
//   MOST_PIECES                               a literal number, 1 … 4. With EVALUATES_BY_PIECES it
//                                             is any number: evaluate() is then called for each
//                                             piece, so that it should be cheap
#ifndef STRINGS_PIECES_GLSL
#define STRINGS_PIECES_GLSL

#include "vkprims/strings/rope.glsl"

// Returns the number of bytes of a tile to every invocation, and changes nothing.
uvec2 bytes_of_tile(uint tile) {
  uvec2 bytes = uvec2(0u);
  const uint rows = rows_of(tile);
  const uint most = MOST_PIECES;
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    Row x;
    if (i < rows && evaluate(row, x)) {
      for (uint k = 0u; k < most; ++k) bytes = vkp_add64(bytes, bytes_in_result(piece(x, row, k).bytes));
    }
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(bytes));
}

#ifdef EVALUATES_BY_PIECES

// Loads one piece in each lane at a time.
void load_pieces(uint tile) {
  const uint rows = rows_of(tile);
  const uint most = MOST_PIECES;
  [[dont_unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = e * gl_WorkGroupSize.x + own();
    const uint i = p / most;
    Row x;
    VkpText text = vkp_no_text();
    if (i < rows && evaluate(tile * tile_rows() + i, x)) {
      text = piece(x, tile * tile_rows() + i, p % most);
      if (p % most == 0u) set_valid(tile, i);
    }
    set_piece(p, text);
  }
  barrier();
}

#else

const uint ROWS_EACH = PIECES_EACH / MOST_PIECES;

// Loads one row in each lane at a time. Lanes load all their rows before they store any. No
// branches surround the loads, so that those of several rows are under way together; therefore a
// row behind the tile is loaded as if it were the last row.
void load_pieces(uint tile) {
  const uint rows = rows_of(tile);
  Row x[ROWS_EACH];
  uint valid = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS_EACH; ++r) {
    const uint i = r * gl_WorkGroupSize.x + own();
    const bool exists = evaluate(tile * tile_rows() + min(i, rows - 1u), x[r]);
    if (i < rows && exists) valid |= 1u << r;
  }
  [[unroll]] for (uint r = 0u; r < ROWS_EACH; ++r) {
    const uint i = r * gl_WorkGroupSize.x + own();
    const bool there = (valid >> r & 1u) != 0u;
    if (there) set_valid(tile, i);
    [[unroll]] for (uint k = 0u; k < MOST_PIECES; ++k) {
      VkpText text = vkp_no_text();
      if (there) text = piece(x[r], tile * tile_rows() + i, k);
      set_piece(i * MOST_PIECES + k, text);
    }
  }
  barrier();
}

#endif

#endif

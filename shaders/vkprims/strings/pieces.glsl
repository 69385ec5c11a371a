// Makes the pieces of ropes (rope.glsl) from a description of each row.
//
// Needs, before this file,
//   VKP_STRING_ROW
//       the type of a row's description: the name of a struct
//   bool vkp_evaluate(uint row, out VKP_STRING_ROW x)
//       describes a row; false: the row is null
//   VkpText vkp_piece(VKP_STRING_ROW x, uint row, uint k)
//       piece k of VKP_MOST_PIECES; empty where there is none
//   VKP_MOST_PIECES
//       a literal number, 1 … 4. With VKP_EVALUATES_BY_PIECES it is any number: vkp_evaluate() is
//       then called for each piece, so that it should be cheap
#ifndef VKPRIMS_STRINGS_PIECES_GLSL
#define VKPRIMS_STRINGS_PIECES_GLSL

#include "vkprims/strings/rope.glsl"

// Returns the number of bytes of a tile to every invocation, and changes nothing.
uvec2 vkp_bytes_of_tile(uint tile) {
  uvec2 bytes = uvec2(0u);
  const uint rows = vkp_rows_of_tile(tile);
  const uint most = VKP_MOST_PIECES;
  const uint rounds = (vkp_tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + vkp_lane_of_tile();
    const uint row = tile * vkp_tile_rows() + i;
    VKP_STRING_ROW x;
    if (i < rows && vkp_evaluate(row, x)) {
      for (uint k = 0u; k < most; ++k) {
        bytes = vkp_add64(bytes, vkp_bytes_in_result(vkp_piece(x, row, k).bytes));
      }
    }
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(bytes));
}

#ifdef VKP_EVALUATES_BY_PIECES

// Loads one piece in each lane at a time.
void vkp_load_pieces(uint tile) {
  const uint rows = vkp_rows_of_tile(tile);
  const uint most = VKP_MOST_PIECES;
  [[dont_unroll]] for (uint e = 0u; e < VKP_PIECES_EACH; ++e) {
    const uint p = e * gl_WorkGroupSize.x + vkp_lane_of_tile();
    const uint i = p / most;
    VKP_STRING_ROW x;
    VkpText text = vkp_no_text();
    if (i < rows && vkp_evaluate(tile * vkp_tile_rows() + i, x)) {
      text = vkp_piece(x, tile * vkp_tile_rows() + i, p % most);
      if (p % most == 0u) vkp_set_valid(tile, i);
    }
    vkp_set_piece(p, text);
  }
  barrier();
}

#else

const uint VKP_ROWS_EACH = VKP_PIECES_EACH / VKP_MOST_PIECES;

// Loads one row in each lane at a time. Lanes load all their rows before they store any. No
// branches surround the loads, so that those of several rows are under way together; therefore a
// row behind the tile is loaded as if it were the last row.
void vkp_load_pieces(uint tile) {
  const uint rows = vkp_rows_of_tile(tile);
  VKP_STRING_ROW x[VKP_ROWS_EACH];
  uint valid = 0u;
  [[unroll]] for (uint r = 0u; r < VKP_ROWS_EACH; ++r) {
    const uint i = r * gl_WorkGroupSize.x + vkp_lane_of_tile();
    const bool exists = vkp_evaluate(tile * vkp_tile_rows() + min(i, rows - 1u), x[r]);
    if (i < rows && exists) valid |= 1u << r;
  }
  [[unroll]] for (uint r = 0u; r < VKP_ROWS_EACH; ++r) {
    const uint i = r * gl_WorkGroupSize.x + vkp_lane_of_tile();
    const bool there = (valid >> r & 1u) != 0u;
    if (there) vkp_set_valid(tile, i);
    [[unroll]] for (uint k = 0u; k < VKP_MOST_PIECES; ++k) {
      VkpText text = vkp_no_text();
      if (there) text = vkp_piece(x[r], tile * vkp_tile_rows() + i, k);
      vkp_set_piece(i * VKP_MOST_PIECES + k, text);
    }
  }
  barrier();
}

#endif

#endif

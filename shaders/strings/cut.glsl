// Ropes (rope.glsl) whose rows are parts of the rows of one column. Which part of its text a row
// keeps is found by means of marks.glsl, or, for long rows, by a kernel that runs before this one.
//
// Needs, before this file,
//   bool wants_marks()    called before all others: whether all bytes will be looked at, so that
//                         marking them pays; the answer is the same for all invocations
//   bool cut(uint row, inout VkpText text)   the part of a row that is not null; false if the row
//                                            becomes null
//   marks_of()            see mark_words.glsl
#ifndef STRINGS_CUT_GLSL
#define STRINGS_CUT_GLSL

#define VKP_MOST_PIECES 1u
#define VKP_PIECES_OF_A
#include "vkprims/strings/rope.glsl"

#include "strings/long_rows.glsl"

// What becomes of a row.
struct Cut {
  bool valid;  // false: null
  VkpText text;
};

Cut cut_row(const uint row, const VkpText text) {
  Cut c = Cut(true, text);
  const LongRow x = long_row(row, text);
  c.valid = is_known(x) ? cut_known(x, c.text) : cut(row, c.text);
  return c;
}

// Until they are cut, the pieces are the whole texts of the rows.
VkpText text_of(const uint i) { return VkpText(vkp_address_of_piece(i), vkp_start_of_piece(i)); }

// Loads all rows, then marks and cuts them batch by batch.
void vkp_load_pieces(uint tile) {
  const uint rows = vkp_rows_of_tile(tile);
  VkpText text[VKP_PIECES_EACH];
  uint valid = 0u;
  // There are no branches here, so that all loads are under way together.
  [[unroll]] for (uint r = 0u; r < VKP_PIECES_EACH; ++r) {
    const uint row =
        tile * vkp_tile_rows() + min(r * gl_WorkGroupSize.x + vkp_lane_of_tile(), rows - 1u);
    text[r] = vkp_row_text(vkp_push.a, row);
    if (vkp_valid(vkp_push.a, row)) valid |= 1u << r;
  }
  const bool marked = wants_marks();
  [[unroll]] for (uint r = 0u; r < VKP_PIECES_EACH; ++r) {
    vkp_set_text(r * gl_WorkGroupSize.x + vkp_lane_of_tile(), text[r]);
  }
  barrier();
  uint end = rows;
  for (uint first = 0u; first < rows; first = end) {
    if (marked) end = mark_rows(first, rows);
    for (uint r = 0u; r < VKP_PIECES_EACH; ++r) {
      const uint i = r * gl_WorkGroupSize.x + vkp_lane_of_tile();
      if (i < first || i >= end) continue;
      Cut c = Cut(false, vkp_no_text());
      if ((valid >> r & 1u) != 0u) c = cut_row(tile * vkp_tile_rows() + i, text_of(i));
      if (c.valid) vkp_set_valid(tile, i);
      vkp_set_piece(i, c.valid ? c.text : vkp_no_text());
    }
  }
  barrier();
}

// Returns the number of bytes of a tile to every invocation. In a look-back the tile is another
// workgroup's; its rows are not marked, so that shared memory does not change.
uvec2 vkp_bytes_of_tile(uint tile) {
  marked_bytes = 0u;
  uvec2 bytes = uvec2(0u);
  const uint rows = vkp_rows_of_tile(tile);
  for (uint r = 0u; r < VKP_PIECES_EACH; ++r) {
    const uint i = r * gl_WorkGroupSize.x + vkp_lane_of_tile();
    const uint row = tile * vkp_tile_rows() + i;
    if (i >= rows || !vkp_valid(vkp_push.a, row)) continue;
    const Cut c = cut_row(row, vkp_row_text(vkp_push.a, row));
    if (c.valid) bytes = vkp_add64(bytes, c.text.bytes);
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(bytes));
}

#endif

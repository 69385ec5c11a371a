// Ropes (rope.glsl) whose rows are parts of the rows of one column: what a row has of its text is found by marks.glsl, or, of long
// rows, by a kernel that goes ahead.
//
// Needs, before this file,
//   bool wants_marks()            called before all others: whether all bytes are looked at, so that they are marked; the
//                                 same for all invocations
//   bool cut(uint row, inout VkpText text)   the part of a row, which is not null; false: it becomes null
//   marks_of()                    see marks.glsl
#ifndef STRINGS_CUT_GLSL
#define STRINGS_CUT_GLSL

#define MOST_PIECES 1u
#define PIECES_OF_A
#include "strings/rope.glsl"

#include "strings/long_rows.glsl"

bool cut_row(uint row, inout VkpText t) {
  const LongRow x = long_row(row, t);
  return is_known(x) ? cut_known(x, t) : cut(row, t);
}

// Until they are cut pieces are the texts of the rows.
VkpText text_of(uint i) { return VkpText(address_of(i), start_of(i)); }

// All rows; then part after part of them is marked and cut.
void load_pieces(uint tile) {
  const uint rows = rows_of(tile);
  VkpText text[PIECES_EACH];
  uint valid = 0u;
  // (Without branches, so that all loads are on their way together.)
  [[unroll]] for (uint r = 0u; r < PIECES_EACH; ++r) {
    const uint row = tile * tile_rows() + min(r * gl_WorkGroupSize.x + own(), rows - 1u);
    text[r] = vkp_row_text(push.a, row);
    if (vkp_valid(push.a, row)) valid |= 1u << r;
  }
  const bool marked = wants_marks();
  [[unroll]] for (uint r = 0u; r < PIECES_EACH; ++r) set_text(r * gl_WorkGroupSize.x + own(), text[r]);
  barrier();
  uint end = rows;
  for (uint first = 0u; first < rows; first = end) {
    if (marked) end = mark_rows(first, rows);
    for (uint r = 0u; r < PIECES_EACH; ++r) {
      const uint i = r * gl_WorkGroupSize.x + own();
      if (i < first || i >= end) continue;
      VkpText t = text_of(i);
      if ((valid >> r & 1u) != 0u && cut_row(tile * tile_rows() + i, t)) {
        set_valid(tile, i);
      } else {
        t = vkp_no_text();
      }
      set_piece(i, t);
    }
  }
  barrier();
}

// The number of bytes of a tile, to every invocation. Looking back it is another's, whose rows are not marked, so that
// nothing changes.
uvec2 bytes_of_tile(uint tile) {
  marked_bytes = 0u;
  uvec2 bytes = uvec2(0u);
  const uint rows = rows_of(tile);
  for (uint r = 0u; r < PIECES_EACH; ++r) {
    const uint i = r * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    if (i >= rows || !vkp_valid(push.a, row)) continue;
    VkpText t = vkp_row_text(push.a, row);
    if (cut_row(row, t)) bytes = vkp_add64(bytes, t.bytes);
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(bytes));
}

#endif

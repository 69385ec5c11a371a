// String kernels whose rows are short, and written by an invocation each: see tiles.glsl and stage.glsl. A row is a few
// bytes that are made in registers, and behind them a text. (Rows made of pieces that may be long: pieces.glsl.) The bytes of
// a tile are counted in 32 bits.
//
// Memory answers late: an invocation asks for the offsets of all its rows, then for the first 16 bytes of all, before it
// looks at any. No branch may come between, for which reason evaluate() leaves to evaluate_long() what takes one.
//
// Needs
//   COLUMNS                                   that are read: 1 is a, 2 are a and b
//   MOST_LEAD_BYTES                           which a row begins with (below), if that is less than 8
// and, behind this file,
//   uint evaluate(uint row, Cells c, out Row x)   what becomes of a row: ROW_NULL, ROW_VALID, or ROW_LONG, if
//   void evaluate_long(Cells c, inout Row x)      has to finish it
#ifndef STRINGS_SHORT_ROWS_GLSL
#define STRINGS_SHORT_ROWS_GLSL

#include "strings/units.glsl"

#ifndef MOST_LEAD_BYTES
#define MOST_LEAD_BYTES 8
#endif

// A row of the result.
struct Row {
  uvec2 lead;       // bytes that come first;
  uint lead_bytes;  // so many of them, at most MOST_LEAD_BYTES; the others are 0
  VkpText rest;     // what follows
  uvec4 head;       // its first 16 bytes; what is behind its end is anything
};

const uint ROW_NULL = 0, ROW_VALID = 1, ROW_LONG = 2;

#define EVALUATES_ROWS
#include "strings/stage.glsl"

// What a column has in a row.
struct Cell {
  VkpText text;
  uvec4 head;  // its first 16 bytes; what is behind its end is anything
  bool valid;
};

struct Cells {
  Cell a, b;
};

// The four bytes of a text from byte `i` on, of its head as far as that goes; what is behind its end is anything.
uint word_of(Cell c, uint i) {
  const uint k = i >> 2;
  const uint low = k == 0u ? c.head.x : k == 1u ? c.head.y : k == 2u ? c.head.z : c.head.w;
  const uint high = k == 0u ? c.head.y : k == 1u ? c.head.z : c.head.w;
  uint x = vkp_word_down(low, high, 8u * (i & 3u));
  if (i > 12u && c.text.bytes > 16u) x = load_word(c.text, i);
  return x;
}

uint evaluate(uint row, Cells c, out Row x);
void evaluate_long(Cells c, inout Row x);

Cell load_cell(VkpStrings column, uint row) {
  return Cell(vkp_row_text(column, row), uvec4(0u), vkp_valid(column, row));
}

Cells load_cells(uint row) {
  Cells c;
  c.a = load_cell(push.a, row);
#if COLUMNS == 1
  c.b = Cell(vkp_no_text(), uvec4(0u), false);
#else
  c.b = load_cell(push.b, row);
#endif
  return c;
}

void load_heads(inout Cells c) {
  c.a.head = load_head(c.a.text);
#if COLUMNS == 2
  c.b.head = load_head(c.b.text);
#endif
}

uint evaluate_rows(uint tile, out Row x[ROWS]) {
  Cells c[ROWS];
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) c[r] = load_cells(existing_row(tile, r));
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) load_heads(c[r]);
  uint valid = 0u;
  uint is_long = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint result = evaluate(existing_row(tile, r), c[r], x[r]);
    if (result != ROW_NULL) valid |= 1u << r;
    if (result == ROW_LONG) is_long |= 1u << r;
  }
  // (Arrays are indexed by constants only, lest compilers keep them in memory.)
  while (is_long != 0u) {
    const uint i = uint(findLSB(is_long));
    Cells cells = c[0];
    Row row = x[0];
    [[unroll]] for (uint r = 1u; r < ROWS; ++r) {
      if (r == i) {
        cells = c[r];
        row = x[r];
      }
    }
    evaluate_long(cells, row);
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      if (r == i) x[r] = row;
    }
    is_long &= is_long - 1u;
  }
  return valid;
}

// One row; false: null.
bool evaluate_row(uint row, out Row x) {
  Cells c = load_cells(row);
  load_heads(c);
  const uint result = evaluate(row, c, x);
  if (result == ROW_LONG) evaluate_long(c, x);
  return result != ROW_NULL;
}

uint bytes_of(inout Row x, uint row, bool valid) { return valid ? x.lead_bytes + x.rest.bytes : 0u; }

// The number of bytes of a tile, to every invocation; nothing is kept.
uvec2 bytes_of_tile(uint tile) {
  uint bytes = 0u;
  [[dont_unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint row = existing_row(tile, r);
    Row x;
    const bool valid = evaluate_row(row, x);
    if (row_in_tile(r) < rows_of(tile)) bytes += bytes_of(x, row, valid);
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(uvec2(bytes, 0u)));
}

#include "strings/short_row_bytes.glsl"

void rope() { run_tiles(); }

#endif

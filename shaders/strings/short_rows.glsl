// String kernels whose rows are short, and written by an invocation each: see tiles.glsl and stage.glsl. A row is a few
// bytes that are made in registers, and behind them a text. (Rows made of pieces that may be long: pieces.glsl.) The bytes of
// a tile are counted in 32 bits.
//
// Memory answers late: an invocation asks for the offsets of all its rows, then for the first 16 bytes of all, before it
// looks at any. No branch may come between, for which reason evaluate() leaves to evaluate_long() what takes one.
//
// Needs
//   COLUMNS                                   that are read: 1 is a, 2 are a and b
// and, behind this file,
//   uint evaluate(uint row, Cells c, out Row x)   what becomes of a row: ROW_NULL, ROW_VALID, or ROW_LONG, if
//   void evaluate_long(Cells c, inout Row x)      has to finish it
#ifndef STRINGS_SHORT_ROWS_GLSL
#define STRINGS_SHORT_ROWS_GLSL

#include "strings/units.glsl"

// A row of the result.
struct Row {
  uvec2 lead;       // bytes that come first;
  uint lead_bytes;  // so many of them, at most 8; the others are 0
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
  if (is_long != 0u) {
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
      if ((is_long >> r & 1u) != 0u) evaluate_long(c[r], x[r]);
    }
  }
  return valid;
}

uint bytes_of(Row x, uint row, bool valid) { return valid ? x.lead_bytes + x.rest.bytes : 0u; }

// The number of bytes of a tile, to every invocation; nothing is kept.
uvec2 bytes_of_tile(uint tile) {
  uint bytes = 0u;
  [[dont_unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint row = existing_row(tile, r);
    Cells c = load_cells(row);
    load_heads(c);
    Row x;
    const uint result = evaluate(row, c, x);
    if (result == ROW_LONG) evaluate_long(c, x);
    if (row_in_tile(r) < rows_of(tile)) bytes += bytes_of(x, row, result != ROW_NULL);
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(uvec2(bytes, 0u)));
}

// ---- Bytes.

// The first bytes of 16; the others are 0. Where they are in the window, unless they are known to be `near` it.
void stage_16_bytes(int at, uvec4 x, bool near) {
  const uint up = 8u * (uint(at) & 3u);
  uint before = 0u;
  [[unroll]] for (int i = 0; i <= 4; ++i) {
    const uint next = i < 4 ? x[i & 3] : 0u;
    const uint word = vkp_word_up(before, next, up);
    if (near) {
      stage_some((at >> 2) + i, word);
    } else {
      stage_word((at >> 2) + i, word);
    }
    before = next;
  }
}

// A row of at most 24 bytes, some of them in the window.
void stage_short(int at, Row x) {
  stage_16_bytes(at, uvec4(x.lead, 0u, 0u), true);
  stage_16_bytes(at + int(x.lead_bytes), vkp_only_bytes(x.head, 0u, x.rest.bytes), true);
}

// Of a row of any length what the window has.
void stage_long(int at, Row x) {
  stage_16_bytes(at, uvec4(x.lead, 0u, 0u), false);
  at += int(x.lead_bytes);
  uint i = min(uint(max(-at, 0)), x.rest.bytes);
  for (; i < x.rest.bytes && at + int(i) < int(STAGE_BYTES); i += 16u) {
    stage_16_bytes(at + int(i), load_bytes(vkp_add64(x.rest.at, i), min(x.rest.bytes - i, 16u)), false);
  }
}

void stage_rows(Tile t, uint tile, uint window) {
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const int at = int(t.before[r] - window);
    const bool is_in_window = t.before[r] < window + STAGE_BYTES && t.before[r] + t.bytes[r] > window;
    if (is_in_window && t.bytes[r] != 0u) {
      if (t.row[r].rest.bytes <= 16u) {
        stage_short(at, t.row[r]);
      } else {
        stage_long(at, t.row[r]);
      }
    }
  }
}

void rope() { run_tiles(); }

#endif

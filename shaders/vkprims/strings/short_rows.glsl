// String kernels whose rows are short: a lane makes whole rows in registers, in strips
// (strips.glsl).
//
// Memory latency is long: a lane loads the offsets of all rows of a round, then their first bytes,
// before it uses any. No branch may come between these loads.
//
// A row is described twice. short_row() makes a row if all its bytes come from the first bytes of
// what is read. Of any other row it says that this is not so, and the row is made of pieces, as in
// ropes.
//
// Needs
//   struct Row, evaluate(), piece(), MOST_PIECES   for any row, as for strips.glsl
//   HEAD_WORDS, HEAD_WORDS_B      words of the first bytes of a row of a, and of b, if that is
//                                 read; 4 and 0 by default
//   ROW_WORDS                     words of the bytes of a row that short_row() makes; 4 by default
// and, behind this file,
//   Short short_row(uint row, Cells c)     what becomes of a row
//   void load_cells(uint row, out Cells c) what is read for a row. Define LOADS_CELLS if that is
//                                          not just row `row` of a and of b
#ifndef STRINGS_SHORT_ROWS_GLSL
#define STRINGS_SHORT_ROWS_GLSL

#ifndef HEAD_WORDS
#define HEAD_WORDS 4
#endif
#ifndef HEAD_WORDS_B
#define HEAD_WORDS_B 0
#endif
#ifndef ROW_WORDS
#define ROW_WORDS 4
#endif
#define LANE_WORDS VKP_STRINGS_SHORT_WORDS

// What a column has in a row.
struct Cell {
  VkpText text;
  bool valid;
};

struct Cells {
  Cell a, b;
  uint head[HEAD_WORDS];          // the first bytes of a; undefined behind its end
  uint head_b[HEAD_WORDS_B + 1];  // the first bytes of b, and one word more
};

// A row of the result.
struct Short {
  bool is_known;  // false: it is made of pieces, if it is not null
  bool valid;
  uint bytes;  // at most 4 * ROW_WORDS
  uint words[ROW_WORDS];  // undefined behind its end
};

struct Round {
  bool valid[VKP_STRINGS_ROWS_AT_ONCE];
  uint bytes[VKP_STRINGS_ROWS_AT_ONCE];
  Short row[VKP_STRINGS_ROWS_AT_ONCE];
};

#include "vkprims/strings/strips.glsl"

Short short_row(const uint row, const Cells c);
void load_cells(uint row, out Cells c);

Cell cell_of(VkpStrings column, uint row) { return Cell(vkp_row_text(column, row), vkp_valid(column, row)); }

#ifndef LOADS_CELLS
void load_cells(uint row, out Cells c) {
  c.a = cell_of(push.a, row);
  c.b = c.a;
#if HEAD_WORDS_B > 0
  c.b = cell_of(push.b, row);
#endif
}
#endif

#include "vkprims/strings/short_row_bytes.glsl"

void load_heads(inout Cells c) {
  uint w[HEAD_WORDS + 1];
  LOAD_WORDS(w, HEAD_WORDS, c.a.text)
  const uint ahead = 8u * (c.a.text.at.x & 3u);
  [[unroll]] for (uint i = 0u; i < HEAD_WORDS; ++i) c.head[i] = vkp_word_down(w[i], w[i + 1u], ahead);
#if HEAD_WORDS_B > 0
  uint b[HEAD_WORDS_B + 1];
  LOAD_WORDS(b, HEAD_WORDS_B, c.b.text)
  const uint ahead_b = 8u * (c.b.text.at.x & 3u);
  [[unroll]] for (uint i = 0u; i < HEAD_WORDS_B; ++i) c.head_b[i] = vkp_word_down(b[i], b[i + 1u], ahead_b);
#endif
}

void load_round(uint tile, uint round, out Round x) {
  Cells c[ROWS_AT_ONCE];
  [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) load_cells(existing_row(tile, round * ROWS_AT_ONCE + r), c[r]);
  [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) load_heads(c[r]);
  bool all_known = true;
  [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
    const uint i = round * ROWS_AT_ONCE + r;
    x.row[r] = short_row(existing_row(tile, i), c[r]);
    x.valid[r] = x.row[r].valid && row_in_tile(i) < rows_of(tile);
    x.bytes[r] = x.valid[r] ? x.row[r].bytes : 0u;
    x.row[r].is_known = x.row[r].is_known || !x.valid[r];
    all_known = all_known && x.row[r].is_known;
  }
  if (!vkp_any_lane(!all_known)) return;
  [[dont_unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
    bool is_asked = false;
    [[unroll]] for (uint k = 0u; k < ROWS_AT_ONCE; ++k) is_asked = is_asked || r == k && !x.row[k].is_known;
    if (!is_asked) continue;
    const Pieces pieces = pieces_of(existing_row(tile, round * ROWS_AT_ONCE + r));
    [[unroll]] for (uint k = 0u; k < ROWS_AT_ONCE; ++k) {
      if (r == k) {
        x.valid[k] = pieces.valid;
        x.bytes[k] = pieces.bytes;
      }
    }
  }
}

uint others = 0u;  // bit i: row i of this lane is made of pieces

void stage_round(uint round, Round x, uint at[ROWS_AT_ONCE]) {
  Head head[ROWS_AT_ONCE];
  [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
    head[r] = stage_body(at[r], x.row[r], x.bytes[r]);
    if (!x.row[r].is_known) others |= 1u << (round * ROWS_AT_ONCE + r);
  }
  vkp_subgroup_barrier();  // releases the bodies; the heads are added after it
  [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) store_head(head[r]);
}

// Only atomics are used, as not all subgroups have as many such rows: vkprims/README.md.
void stage_others(uint tile) {
  for (uint i = 0u; vkp_any_lane(others >> i != 0u); ++i) {
    if ((others >> i & 1u) == 0u) continue;
    const uint row = existing_row(tile, i);
    uint to = place_in_region(places_in_region(i / ROWS_AT_ONCE), i % ROWS_AT_ONCE);
    const Pieces x = pieces_of(row);
    for (uint k = 0u; x.valid && k < MOST_PIECES; ++k) {
      const VkpText t = piece(x.row, row, k);
      stage_text(to, t);
      to += t.bytes;
    }
  }
}

#endif

// String kernels whose rows are short, and written by an invocation each: see tiles.glsl and stage.glsl. (Rows made of
// pieces that may be long: pieces.glsl.)
//
// Memory answers late: an invocation asks for the offsets of all its rows, then for the first 16 bytes of all, before it
// looks at any.
//
// Needs
//   COLUMNS                                   that are read: 1 is a, 2 are a and b
//   struct Row                                what is known of a row, in registers
// and, behind this file,
//   bool evaluate(uint row, Cell a, Cell b, out Row x)   false: null; of one column without b
//   uint bytes_of_row(Row x)
//   void write_row(Row x, inout Writer w)     puts its bytes; called for every window that has some of them
#ifndef STRINGS_SHORT_ROWS_GLSL
#define STRINGS_SHORT_ROWS_GLSL

#define EVALUATES_ROWS

#include "strings/stage.glsl"
#include "strings/units.glsl"
#include "strings/writer.glsl"

// What a column has in a row, and the first bytes of it; 0 where there are none.
struct Cell {
  VkpText text;
  uvec4 head;
  bool valid;
};

#if COLUMNS == 1
bool evaluate(uint row, Cell a, out Row x);
#else
bool evaluate(uint row, Cell a, Cell b, out Row x);
#endif
uint bytes_of_row(Row x);
void write_row(Row x, inout Writer w);

uvec4 head_of(VkpText t) { return load_bytes(t.at, min(t.bytes, 16u)); }

uint evaluate_rows(uint tile, out Row x[ROWS]) {
  VkpText a[ROWS], b[ROWS];
  bool valid_a[ROWS], valid_b[ROWS];
  uvec4 head_a[ROWS], head_b[ROWS];
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    a[r] = vkp_row_text(push.a, existing_row(tile, r));
    valid_a[r] = vkp_valid(push.a, existing_row(tile, r));
#if COLUMNS == 2
    b[r] = vkp_row_text(push.b, existing_row(tile, r));
    valid_b[r] = vkp_valid(push.b, existing_row(tile, r));
#endif
  }
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    head_a[r] = head_of(a[r]);
#if COLUMNS == 2
    head_b[r] = head_of(b[r]);
#endif
  }
  uint valid = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
#if COLUMNS == 1
    const bool exists = evaluate(existing_row(tile, r), Cell(a[r], head_a[r], valid_a[r]), x[r]);
#else
    const bool exists = evaluate(existing_row(tile, r), Cell(a[r], head_a[r], valid_a[r]),
                                 Cell(b[r], head_b[r], valid_b[r]), x[r]);
#endif
    if (exists) valid |= 1u << r;
  }
  return valid;
}

uint bytes_of(Row x, uint row, bool valid) { return valid ? bytes_of_row(x) : 0u; }

// The first `count` bytes of 16; the others are 0.
void put_16_bytes(inout Writer w, uvec4 x, uint count) {
  const uint up = 8u * (uint(w.at) & 3u);
  const int word = w.at >> 2;
  stage_word(word, w.word | x.x << up);
  [[unroll]] for (int i = 1; i < 4; ++i) stage_word(word + i, vkp_word_up(x[i - 1], x[i], up));
  stage_word(word + 4, vkp_word_up(x.w, 0u, up));
  w.at += int(count);
  w.word = 0u;  // what there is of the next word is staged already
}

// Of a long text what the window has.
void put_text(inout Writer w, VkpText t) {
  uint i = 0u;
  if (w.at < 0) i = min(uint(-w.at), t.bytes);
  w.at += int(i);
  for (; i < t.bytes && w.at < int(STAGE_BYTES); i += 16u) {
    const uint count = min(t.bytes - i, 16u);
    put_16_bytes(w, load_bytes(vkp_add64(t.at, i), count), count);
  }
}

void stage_rows(Tile t, uint tile, uint window) {
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const bool is_in_window = t.before[r] < window + STAGE_BYTES && t.before[r] + t.bytes[r] > window;
    if (is_in_window && t.bytes[r] != 0u) {
      Writer w = Writer(int(t.before[r] - window), 0u, false);
      write_row(t.row[r], w);
      end_bytes(w);
    }
  }
}

void rope() { run_tiles(); }

#endif

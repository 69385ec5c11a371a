// String kernels whose rows are short: a lane makes whole rows in registers, in strips
// (row_strips.glsl).
//
// Memory latency is long: a lane loads the offsets of all rows of a round, then their first bytes,
// before it uses any. No branch may come between these loads.
//
// A row is described twice. vkp_short_row() makes a row if all its bytes come from the first bytes
// of what is read. Of any other row it says that this is not so, and the row is made of pieces, as
// in ropes.
//
// Needs
//   VKP_STRING_ROW, vkp_evaluate(), vkp_piece(), VKP_MOST_PIECES
//       for any row, as for row_strips.glsl
//   VKP_FIRST_WORDS, VKP_FIRST_WORDS_B
//       words of the first bytes of a row of a, and of b, if that is read; 4 and 0 by default
//   VKP_ROW_WORDS
//       words of the bytes of a row that vkp_short_row() makes; 4 by default
// and, behind this file,
//   VkpShortRow vkp_short_row(uint row, VkpTextCells c)
//       what becomes of a row
//   void vkp_load_cells(uint row, out VkpTextCells c)
//       what is read for a row. Define VKP_LOADS_CELLS if that is not just row `row` of a and of b.
//       VKP_READS_A and VKP_READS_B then say that it is mostly row `row` of these, so that they are
//       prefetched
#ifndef VKPRIMS_STRINGS_SHORT_ROWS_GLSL
#define VKPRIMS_STRINGS_SHORT_ROWS_GLSL

#ifndef VKP_FIRST_WORDS
#define VKP_FIRST_WORDS 4
#endif
#ifndef VKP_FIRST_WORDS_B
#define VKP_FIRST_WORDS_B 0
#endif
#ifndef VKP_ROW_WORDS
#define VKP_ROW_WORDS 4
#endif
#ifndef VKP_LOADS_CELLS
#define VKP_READS_A
#if VKP_FIRST_WORDS_B > 0
#define VKP_READS_B
#endif
#endif
#define VKP_LANE_WORDS VKP_STRINGS_SHORT_WORDS

// What a column has in a row.
struct VkpTextCell {
  VkpText text;
  bool valid;
};

struct VkpTextCells {
  VkpTextCell a, b;
  uint head[VKP_FIRST_WORDS];          // the first bytes of a; undefined behind its end
  uint head_b[VKP_FIRST_WORDS_B + 1];  // the first bytes of b, and one word more
};

// A row of the result.
struct VkpShortRow {
  bool is_known;  // false: it is made of pieces, if it is not null
  bool valid;
  uint bytes;  // at most 4 * VKP_ROW_WORDS
  uint words[VKP_ROW_WORDS];  // undefined behind its end
};

struct VkpRound {
  bool valid[VKP_STRINGS_ROWS_AT_ONCE];
  uint bytes[VKP_STRINGS_ROWS_AT_ONCE];
  VkpShortRow row[VKP_STRINGS_ROWS_AT_ONCE];
};

#include "vkprims/strings/row_strips.glsl"

VkpShortRow vkp_short_row(const uint row, const VkpTextCells c);
void vkp_load_cells(uint row, out VkpTextCells c);

VkpTextCell vkp_cell_of(VkpStrings column, uint row) {
  return VkpTextCell(vkp_row_text(column, row), vkp_valid(column, row));
}

#ifndef VKP_LOADS_CELLS
void vkp_load_cells(uint row, out VkpTextCells c) {
  c.a = vkp_cell_of(vkp_push.a, row);
  c.b = c.a;
#if VKP_FIRST_WORDS_B > 0
  c.b = vkp_cell_of(vkp_push.b, row);
#endif
}
#endif

#include "vkprims/strings/short_row_bytes.glsl"

const uint VKP_SECTOR_BYTES = 32;       // that a load of one word brings into caches
const uint VKP_PREFETCHED_OF_ROW = 16;  // bytes on average; most rows are shorter

// Loads a word of each sector that `rows` rows from row `first` on have in a column, and combines
// the words. (A kernel that loads cells itself may have a scalar instead of a column, which then
// has no offsets.)
uint vkp_prefetch_rows(const VkpStrings column, const uint first, const uint rows) {
#ifdef VKP_LOADS_CELLS
  if (vkp_u64(column.offsets) == uvec2(0u)) return 0u;
#endif
  const uint lane = gl_SubgroupInvocationID;
  const uint lanes = vkp_lane_count();
  VkpWords offsets = VkpWords(vkp_u64(column.offsets));
  uint x = offsets.v[first + lane * (rows / lanes)];
  const uint end = min(offsets.v[first + rows], column.bytes.lo);
  const uint at = min(subgroupShuffle(x, 0u), end) + VKP_SECTOR_BYTES * lane;
  VkpWords words = VkpWords(vkp_add64(vkp_u64(column.chars), at) & uvec2(~3u, ~0u));
  const uint turns = VKP_MOST_ROWS_EACH * VKP_PREFETCHED_OF_ROW / VKP_SECTOR_BYTES;
  [[unroll]] for (uint i = 0u; i < turns; ++i) {
    const uint ahead = VKP_SECTOR_BYTES * i * lanes;
    if (at + ahead < end) x |= words.v[ahead / 4u];
  }
  return x;
}

uint vkp_prefetch_strip(uint tile) {
  if (!VKP_NARROW_COLUMNS) return 0u;  // other columns are rare
  const uint end = vkp_rows_of_tile(tile);
  const uint first = min(vkp_row_in_tile(0u) - gl_SubgroupInvocationID, end);
  const uint most = vkp_rounds_of_strip() * VKP_ROWS_AT_ONCE * vkp_lane_count();
  const uint row = tile * vkp_tile_rows() + first;
  const uint rows = min(end - first, most);
  uint x = 0u;
#ifdef VKP_READS_A
  x = vkp_prefetch_rows(vkp_push.a, row, rows);
#endif
#ifdef VKP_READS_B
  x |= vkp_prefetch_rows(vkp_push.b, row, rows);
#endif
  return x;
}

void vkp_load_heads(inout VkpTextCells c) {
  uint w[VKP_FIRST_WORDS + 1];
  VKP_LOAD_WORDS(w, VKP_FIRST_WORDS, c.a.text)
  const uint ahead = 8u * (c.a.text.at.x & 3u);
  [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS; ++i) {
    c.head[i] = vkp_word_down(w[i], w[i + 1u], ahead);
  }
#if VKP_FIRST_WORDS_B > 0
  uint b[VKP_FIRST_WORDS_B + 1];
  VKP_LOAD_WORDS(b, VKP_FIRST_WORDS_B, c.b.text)
  const uint ahead_b = 8u * (c.b.text.at.x & 3u);
  [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS_B; ++i) {
    c.head_b[i] = vkp_word_down(b[i], b[i + 1u], ahead_b);
  }
#endif
}

void vkp_load_round(uint tile, uint round, out VkpRound x) {
  VkpTextCells c[VKP_ROWS_AT_ONCE];
  [[unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) {
    vkp_load_cells(vkp_existing_row(tile, round * VKP_ROWS_AT_ONCE + r), c[r]);
  }
  [[unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) vkp_load_heads(c[r]);
  bool all_known = true;
  [[unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) {
    const uint i = round * VKP_ROWS_AT_ONCE + r;
    x.row[r] = vkp_short_row(vkp_existing_row(tile, i), c[r]);
    x.valid[r] = x.row[r].valid && vkp_row_in_tile(i) < vkp_rows_of_tile(tile);
    x.bytes[r] = x.valid[r] ? x.row[r].bytes : 0u;
    x.row[r].is_known = x.row[r].is_known || !x.valid[r];
    all_known = all_known && x.row[r].is_known;
  }
  if (!vkp_any_lane(!all_known)) return;
  [[dont_unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) {
    bool is_asked = false;
    [[unroll]] for (uint k = 0u; k < VKP_ROWS_AT_ONCE; ++k) {
      is_asked = is_asked || r == k && !x.row[k].is_known;
    }
    if (!is_asked) continue;
    const VkpPieces pieces = vkp_pieces_of(vkp_existing_row(tile, round * VKP_ROWS_AT_ONCE + r));
    [[unroll]] for (uint k = 0u; k < VKP_ROWS_AT_ONCE; ++k) {
      if (r == k) {
        x.valid[k] = pieces.valid;
        x.bytes[k] = pieces.bytes;
      }
    }
  }
}

uint vkp_other_rows = 0u;  // bit i: row i of this lane is made of pieces

void vkp_stage_round(uint round, VkpRound x, uint at[VKP_ROWS_AT_ONCE]) {
  VkpRegionHead head[VKP_ROWS_AT_ONCE];
  [[unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) {
    head[r] = vkp_stage_body(at[r], x.row[r], x.bytes[r]);
    if (!x.row[r].is_known) vkp_other_rows |= 1u << (round * VKP_ROWS_AT_ONCE + r);
  }
  vkp_subgroup_barrier();  // releases the bodies; the heads are added after it
  [[unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) vkp_store_head(head[r]);
}

// Only atomics are used, as not all subgroups have as many such rows: vkprims/README.md.
void vkp_stage_others(uint tile) {
  for (uint i = 0u; vkp_any_lane(vkp_other_rows >> i != 0u); ++i) {
    if ((vkp_other_rows >> i & 1u) == 0u) continue;
    const uint row = vkp_existing_row(tile, i);
    uint to = vkp_place_in_region(vkp_places_in_region(i / VKP_ROWS_AT_ONCE), i % VKP_ROWS_AT_ONCE);
    const VkpPieces x = vkp_pieces_of(row);
    for (uint k = 0u; x.valid && k < VKP_MOST_PIECES; ++k) {
      const VkpText t = vkp_piece(x.row, row, k);
      vkp_stage_text(to, t);
      to += t.bytes;
    }
  }
}

#endif

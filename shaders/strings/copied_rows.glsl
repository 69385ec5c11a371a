// String kernels whose rows are copied from where they lie, each by a lane, in strips (strips.glsl): of rows of a few dozen
// bytes that takes fewer instructions than a rope (some 60 %, as nvcc counts for sm_90), of long ones more. Not measured yet.
//
// A lane asks for all 16-byte units of a piece at once, as they lie in memory, and stores their words, moved by 0 … 3 bytes, to
// the region: whole ones plainly, what neighbours have in common of words by atomics. Pieces that have bytes in more than
// COPY_UNITS units are staged by 16 bytes at a time.
//
// Regions take more than 16 KiB of shared memory: of devices with no more such kernels are not for (has_room() in rope.hpp).
//
// Needs
//   struct Row, evaluate(), piece(), MOST_PIECES, PIECES_ELSEWHERE   as for pieces.glsl
#ifndef STRINGS_COPIED_ROWS_GLSL
#define STRINGS_COPIED_ROWS_GLSL

#define LANE_WORDS VKP_STRINGS_COPIED_WORDS
#define COPY_UNITS 5u  // for rows of 64 bytes

struct Round {
  bool valid[VKP_STRINGS_ROWS_AT_ONCE];
  uint bytes[VKP_STRINGS_ROWS_AT_ONCE];
  Row row[VKP_STRINGS_ROWS_AT_ONCE];
};

#include "strings/strips.glsl"

// (Without branches, so that what several rows load is on its way together.)
void load_round(uint tile, uint round, out Round x) {
  [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
    const uint i = round * ROWS_AT_ONCE + r;
    const uint row = existing_row(tile, i);
    const bool valid = evaluate(row, x.row[r]);
    x.valid[r] = valid && row_in_tile(i) < rows_of(tile);
    x.bytes[r] = x.valid[r] ? bytes_of_pieces(x.row[r], row) : 0u;
  }
}

bool is_copied(VkpText t) { return t.bytes <= 16u * COPY_UNITS - (t.at.x & 15u); }

// Bytes of the units of a text, as far as these may be read.
void load_units(VkpText t, out uint x[4u * COPY_UNITS]) {
  const uint begin = t.at.x & 15u;
  const uint end = t.bytes == 0u ? 0u : begin + t.bytes;
  const uvec2 base = uvec2(t.at.x & ~15u, t.at.y);
#ifdef PIECES_ELSEWHERE
  const bool is_careful = true;
#else
  const bool is_careful = vkp_any_lane(t.bytes != 0u && has_edge(t.at.x, t.bytes));
#endif
  if (is_careful) {
    [[unroll]] for (uint i = 0u; i < 4u * COPY_UNITS; ++i) {
      x[i] = 0u;
      if (4u * i + 4u > begin && 4u * i < end) x[i] = VkpWords(base).v[i];
    }
  } else {
    [[unroll]] for (uint i = 0u; i < COPY_UNITS; ++i) {
      uvec4 unit = uvec4(0u);
      if (16u * i < end) unit = VkpWords4(base).v[i];
      [[unroll]] for (uint k = 0u; k < 4u; ++k) x[4u * i + k] = unit[k];
    }
  }
}

// The body of a text that is_copied() to byte `at` of the region.
Head copy_body(uint at, VkpText t) {
  uint x[4u * COPY_UNITS];
  load_units(t, x);
  const uint ahead = t.at.x & 15u;
  const int to = int(at) - int(ahead);  // where byte 0 of the first unit would go
  const uint up = 8u * (uint(to) & 3u);
  const int base = region_word(0u) + (to >> 2);
  const uint begin = (uint(to) & 3u) + ahead;  // of the text, from word `base` on
  const uint end = begin + t.bytes;
  const uint body = ~(~0u << (end + 3u) / 4u) & ~0u << (begin + 3u) / 4u;  // bit i: word i is of it
  uint before = 0u;
  uint first = 0u;
  [[unroll]] for (uint unit = 0u; unit <= COPY_UNITS; ++unit) {
    if (!vkp_any_lane(16u * unit <= end)) continue;
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
      const uint i = 4u * unit + k;
      if (i > 4u * COPY_UNITS) continue;
      const uint next = i < 4u * COPY_UNITS ? x[min(i, 4u * COPY_UNITS - 1u)] : 0u;
      const uint word = vkp_word_up(before, next, up);
      before = next;
      if (i < 5u && i == begin / 4u) first = word;
      if ((body >> i & 1u) != 0u) region[base + int(i)] = word;
    }
  }
  return end_body(base, begin, end, first);
}

void stage_round(uint tile, uint round, Round x, uint at[ROWS_AT_ONCE]) {
  Head head[ROWS_AT_ONCE * MOST_PIECES];
  uint others = 0u;  // bit r: row r has pieces that are not copied
  [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
    const uint row = existing_row(tile, round * ROWS_AT_ONCE + r);
    uint to = at[r];
    [[unroll]] for (uint k = 0u; k < MOST_PIECES; ++k) {
      VkpText t = piece(x.row[r], row, k);
      if (!x.valid[r]) t.bytes = 0u;
      const uint bytes = t.bytes;
      if (!is_copied(t)) {
        others |= 1u << r;
        t.bytes = 0u;
      }
      head[r * MOST_PIECES + k] = copy_body(to, t);
      to += bytes;
    }
  }
  subgroupBarrier();  // releases the bodies; the heads are behind it
  [[unroll]] for (uint i = 0u; i < ROWS_AT_ONCE * MOST_PIECES; ++i) store_head(head[i]);
  [[dont_unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
    if ((others >> r & 1u) == 0u) continue;
    const uint row = existing_row(tile, round * ROWS_AT_ONCE + r);
    uint to = at[0];
    [[unroll]] for (uint k = 1u; k < ROWS_AT_ONCE; ++k) to = r == k ? at[k] : to;
    Row whole;
    const bool valid = evaluate(row, whole);
    for (uint k = 0u; valid && k < MOST_PIECES; ++k) {
      const VkpText t = piece(whole, row, k);
      if (!is_copied(t)) stage_text(to, t);
      to += t.bytes;
    }
  }
}

#endif

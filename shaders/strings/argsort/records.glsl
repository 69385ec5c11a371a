// Records of rows that tie: their order, and the merging of sorted runs of them in shared memory.
//
// A record is a uvec4: the position of the first row with its key, its next eight bytes {high,
// low}, and the row. As records of equal rows never pass each other, the sort is stable.
//
// Trip counts do not depend on the data, except on the bytes of rows, which lie in no shared
// memory. Of these a comparison reads those of short rows, up to 512, or the numbers of blocks of
// long rows and 256 bytes: up to some 45 turns. An invocation makes up to 135 comparisons where it
// sorts a tile, and 23 where it merges two.
//
// Source: O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012).
#ifndef STRINGS_ARGSORT_RECORDS_GLSL
#define STRINGS_ARGSORT_RECORDS_GLSL

#include "strings/argsort/argsort.glsl"
#include "strings/interned/interned.glsl"

const uint ITEMS = VKP_ARGSORT_ITEMS;
const uint TILE = VKP_ARGSORT_TILE;
const uint KEY_BYTES = 16u;  // first bytes of a row, which its key and its record have

shared uint tile_words[4][TILE];

uvec4 tile_record(uint i) {
  return uvec4(tile_words[0][i], tile_words[1][i], tile_words[2][i], tile_words[3][i]);
}
void set_tile_record(uint i, uvec4 x) {
  [[unroll]] for (uint w = 0u; w < 4u; ++w) tile_words[w][i] = x[w];
}

// Returns how many first bytes are known to be the same.
uint common_bytes(VkpText a, VkpText b) {
  const uvec2 interned = vkp_u64(push.interned);
  uint bytes = KEY_BYTES;
  if (interned != uvec2(0u) && min(a.bytes, b.bytes) >= VKP_INTERNED_LONG_BYTES &&
      has_ascending_offsets(interned)) {
    bytes = common_blocks(push.column, interned, a, b);
  }
  return bytes;
}

// Does the same as vkp_text_word(), from a byte on that is not before the text.
uint word_from(VkpText t, uint i) {
  if (i >= t.bytes) return 0u;
  const uint left = t.bytes - i;
  const uvec2 at = vkp_add64(t.at, i);
  const uint ahead = at.x & 3u;
  VkpWords words = VkpWords(uvec2(at.x & ~3u, at.y));
  uint x = words.v[0] >> (8u * ahead);
  if (ahead != 0u && left + ahead > 4u) x |= words.v[1] << (32u - 8u * ahead);
  return left < 4u ? x & ~(~0u << (8u * left)) : x;
}

// Says whether text a is below text b. Their first KEY_BYTES bytes are the same, with zeros behind
// the end of texts that have fewer. Where texts first differ, one that has ended has a zero and is
// the lower one, too.
bool is_text_below(VkpText a, VkpText b) {
  const uint both = min(a.bytes, b.bytes);
  uint x = a.bytes;
  uint y = b.bytes;
  bool same = true;
  for (uint i = common_bytes(a, b); same && i < both; i += 16u) {
    [[unroll]] for (int k = 3; k >= 0; --k) {
      const uint p = word_from(a, i + 4u * k);
      const uint q = word_from(b, i + 4u * k);
      if (p != q) {
        x = big_endian(p);
        y = big_endian(q);
        same = false;
      }
    }
  }
  return x < y;
}

// Compares rows whose records are the same except for the row.
bool is_row_before(uint a, uint b) {
  const bool a_valid = vkp_valid(push.column, a);
  const bool b_valid = vkp_valid(push.column, b);
  bool before = false;
  if (a_valid && b_valid) {
    const bool turned = is_descending();
    before = is_text_below(vkp_row_text(push.column, turned ? b : a),
                           vkp_row_text(push.column, turned ? a : b));
  } else if (a_valid != b_valid) {
    before = b_valid == has_nulls_first();
  }
  return before;
}

// Says whether record a comes before record b; they do not if they are equal.
bool is_before(const uvec4 a, const uvec4 b) {
  bool before;
  if (a.x != b.x) {
    before = a.x < b.x;
  } else if (a.y != b.y) {
    before = a.y < b.y;
  } else if (a.z != b.z) {
    before = a.z < b.z;
  } else {
    before = is_row_before(a.w, b.w);
  }
  return before;
}

// Two sorted runs of the tile: records a … a_end - 1, and b … b_end - 1.
struct Runs {
  uint a, a_end, b, b_end;
};

// Returns the runs without the first `diagonal` records in order; at most `most` places of run a
// are searched.
Runs split(Runs runs, uint diagonal, uint most) {
  uint first = diagonal - min(diagonal, runs.b_end - runs.b);
  const uint end = min(diagonal, runs.a_end - runs.a);
  for (uint left = most; left != 0u;) {
    const uint half_left = (left + 1u) / 2u;
    const uint next = first + half_left;
    if (next <= end &&
        !is_before(tile_record(runs.b + diagonal - next), tile_record(runs.a + next - 1u))) {
      first = next;
    }
    left -= half_left;
  }
  return Runs(runs.a + first, runs.a_end, runs.b + diagonal - first, runs.b_end);
}

// Returns where the next record lies; behind the last one, some other place.
uint take_next(inout Runs runs) {
  bool from_a = runs.a < runs.a_end;
  if (from_a && runs.b < runs.b_end) from_a = !is_before(tile_record(runs.b), tile_record(runs.a));
  const uint source = min(from_a ? runs.a : runs.b, TILE - 1u);
  if (from_a) {
    ++runs.a;
  } else {
    ++runs.b;
  }
  return source;
}

// Appends the place of a record to those of ITEMS records, two in a word.
void append(inout uvec4 places, uint place) {
  places = uvec4(places.x >> 16 | places.y << 16, places.y >> 16 | places.z << 16,
                 places.z >> 16 | places.w << 16, places.w >> 16 | place << 16);
}

// Moves the records at these places to the ITEMS places of this invocation, one behind the other.
void permute_tile(uvec4 places) {
  uvec4 record[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    record[i] = tile_record(places[i / 2u] >> (16u * (i % 2u)) & 0xffffu);
  }
  barrier();
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    set_tile_record(gl_LocalInvocationIndex * ITEMS + i, record[i]);
  }
  barrier();
}

// Stores the first `count` records of the tile.
void store_tile(uvec2 base, uint first, uint count) {
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (k < count) VkpWords4(record_at(base, first)).v[k] = tile_record(k);
  }
}

#endif

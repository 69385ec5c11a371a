// Says whether rows contain a text, the same for all, that is not empty.
//
// Bytes are searched rather than rows: a tile's rows are neighbours in memory, so each invocation
// looks for the first two bytes of the text at 32 places, whatever rows they belong to. Where these
// agree, which is rare, the row is looked up, and, if the text ends in it, all of the text is
// compared. Where offsets do not ascend, where a tile has many bytes, which would keep one
// workgroup busy for long, and for longer texts, each invocation searches its own rows instead,
// except long ones, which are left to numbers/long.comp.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/map.glsl"
#include "strings/words.glsl"

shared uint row_starts[VKP_BITS_ROWS + 1u];  // where rows begin in the tile's bytes
shared uint in_order;

// A tile of more bytes is not searched by bytes. Nor is any tile for a longer text, as that is
// compared at every place where it may be.
#define MOST_BYTES \
  (VKP_NO_LONG_ROWS ? VKP_BITS_ROWS * VKP_STRINGS_LONG_CONTAINS : VKP_BITS_ROWS * 1024u)
const uint MOST_TEXT_BYTES = 32;

uvec2 first_byte;  // address of the tile's bytes

// Loads where the rows of the tile begin, from its first byte on, and which are not null; returns
// false if they are out of order, or too far apart.
bool load_rows(uint tile, uint rows) {
  uvec2 first, unused;
  vkp_row_offsets(vkp_push.a, tile * VKP_BITS_ROWS, first, unused);
  first_byte = vkp_add64(vkp_u64(vkp_push.a.chars), first);
  if (gl_LocalInvocationIndex == 0u) in_order = 1u;
  barrier();
  uvec2 begin[VKP_STRINGS_ROWS], end[VKP_STRINGS_ROWS];
  bool valid[VKP_STRINGS_ROWS];
  // There are no branches, so that all loads are on their way together.
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint row = tile * VKP_BITS_ROWS + min(vkp_row_in_tile(r), rows - 1u);
    vkp_row_offsets(vkp_push.a, row, begin[r], end[r]);
    valid[r] = vkp_valid(vkp_push.a, row);
  }
  bool good = true;
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_row_in_tile(r);
    if (i >= rows) continue;
    if (valid[r]) vkp_set_valid(i);
    good = good && !vkp_less64(end[r], begin[r]) && !vkp_less64(vkp_u64(vkp_push.a.bytes), end[r]);
    const uvec2 upto = vkp_sub64(end[r], first);
    good = good && upto.y == 0u && upto.x <= MOST_BYTES;
    atomicStore(row_starts[i], begin[r].x - first.x, gl_ScopeWorkgroup, 0, 0);
    if (i + 1u == rows) atomicStore(row_starts[rows], upto.x, gl_ScopeWorkgroup, 0, 0);
  }
  if (!good) atomicAnd(in_order, 0u, gl_ScopeWorkgroup, 0, 0);
  barrier();
  return in_order != 0u;
}

uint start_of(uint i) { return atomicLoad(row_starts[i], gl_ScopeWorkgroup, 0, 0); }

// Returns the last of `rows` rows that begins at byte `at` or before.
uint row_at(uint at, uint rows) {
  uint i = 0u;
  for (uint step = VKP_BITS_ROWS / 2u; step != 0u; step /= 2u) {
    if (i + step < rows && start_of(i + step) <= at) i += step;
  }
  return i;
}

// Returns which of the 32 places may have the first two bytes of the text, or its only one: bit 8 b
// + k for byte b of word k. Where a byte agrees, those above it in the word may be taken to do so,
// too.
uint hits_of(uint w[9], uint first, uint second, uint second_mask) {
  uint hits = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    const uint x = w[k] ^ first;
    const uint y = ((w[k] >> 8 | w[k + 1u] << 24) ^ second) & second_mask;
    hits |= (x - 0x01010101u & ~x & y - 0x01010101u & ~y & 0x80808080u) >> (7u - k);
  }
  return hits;
}

// The text that is looked for, with its first eight bytes in registers.
struct Wanted {
  VkpText text;
  uvec2 head;
};

Wanted wanted_of(VkpText text) {
  return Wanted(text, uvec2(vkp_text_word(text, 0), vkp_text_word(text, 4)));
}

// Sets the bit of a row if the text is at byte `at` of the tile, in the row that begins there or
// before.
void try_place(uint at, uint rows, uint bytes, Wanted what) {
  const VkpText rest = VkpText(vkp_add64(first_byte, at), min(bytes - at, what.text.bytes));
  const uvec2 head = uvec2(vkp_text_word(rest, 0), vkp_text_word(rest, 4));
  if (head != what.head) return;
  const uint i = row_at(at, rows);
  if (start_of(i + 1u) - at < what.text.bytes) return;
  if (what.text.bytes <= 8u || vkp_is_at(rest, 0u, what.text)) vkp_set_bit(i);
}

void search_bytes(uint rows, Wanted what) {
  const uint bytes = start_of(rows);
  const uint head = what.head.x;
  const uint ahead = first_byte.x & 31u;
  const uvec2 base = uvec2(first_byte.x & ~31u, first_byte.y);
  const uint parts = (ahead + bytes + 31u) / 32u;
  const uint rounds = (parts + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uint first = (head & 0xffu) * 0x01010101u;
  const uint second = (head >> 8 & 0xffu) * 0x01010101u;
  const uint second_mask = what.text.bytes >= 2u ? ~0u : 0u;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uint begin = i == 0u ? ahead : 0u;
    // The bytes that belong to the tile end here.
    const uint end = i < parts ? ahead + bytes - 32u * i : 0u;
    uint w[9];
    load_32_bytes(vkp_add64(base, vkp_mul64(i, 32u)), begin, end, w);
    for (uint hits = hits_of(w, first, second, second_mask); hits != 0u; hits &= hits - 1u) {
      const uint bit = uint(findLSB(hits));
      const uint place = 4u * (bit & 7u) + bit / 8u;
      if (place >= begin && place < end) try_place(32u * i + place - ahead, rows, bytes, what);
    }
  }
}

void main() {
  const uint tile = vkp_group_index();
  if (tile * VKP_BITS_ROWS >= vkp_push.rows) return;
  const uint rows = min(vkp_push.rows - tile * VKP_BITS_ROWS, VKP_BITS_ROWS);
  const VkpText what = vkp_scalar_text();
  const Wanted wanted = wanted_of(what);
  vkp_begin_bits();
  if (load_rows(tile, rows) && what.bytes <= MOST_TEXT_BYTES) {
    search_bytes(rows, wanted);
  } else {
    [[dont_unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
      const uint i = vkp_row_in_tile(r);
      const uint row = tile * VKP_BITS_ROWS + i;
      if (i >= rows || !vkp_valid(vkp_push.a, row)) continue;
      const VkpText t = vkp_row_text(vkp_push.a, row);
      if (!is_left(row, t) && vkp_find(t, what, 0u) != VKP_NPOS) vkp_set_bit(i);
    }
  }
  vkp_end_bits(vkp_u64(vkp_push.out_offsets), true);
}

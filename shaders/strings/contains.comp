// Whether rows contain a text, the same for all, that is not empty.
//
// By bytes rather than by rows: a tile's rows are neighbours in memory, so that each invocation compares the first
// bytes of the text at all 16 places of a unit, whatever rows they belong to. Where these agree, which is rare, the row
// is looked up, and whether the text ends in it, and the rest is compared. Rows of any length take the same time for
// their bytes. Where offsets do not ascend each invocation searches its own rows.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/map.glsl"

shared uint row_starts[TILE_ROWS + 1u];  // in the tile's bytes
shared uint in_order;

uvec2 first_byte;  // address of the tile's bytes

uint clamped_row(uint tile, uint i) { return min(tile * TILE_ROWS + i, push.rows); }

// Where the rows of the tile begin, from its first byte on; false: not in order, or too far apart.
bool load_starts(uint tile) {
  const VkpText first = vkp_row_text(push.a, clamped_row(tile, 0u));
  first_byte = first.at;
  if (gl_LocalInvocationIndex == 0u) in_order = 1u;
  barrier();
  bool good = true;
  [[dont_unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    const uint row = tile * TILE_ROWS + i;
    uint start = 0u;
    if (row < push.rows) {
      const VkpText t = vkp_row_text(push.a, row);
      const uvec2 begin = vkp_sub64(t.at, first.at);
      const uvec2 end = vkp_add64(begin, t.bytes);
      start = begin.x;
      good = good && begin.y == 0u && end.y == 0u && end.x < 0x80000000u;
      // Rows follow each other: what comes next is compared with by its own invocation.
      if (i + 1u == TILE_ROWS || row + 1u == push.rows) atomicStore(row_starts[i + 1u], end.x, gl_ScopeWorkgroup, 0, 0);
      if (row + 1u < push.rows && vkp_row_text(push.a, row + 1u).at != vkp_add64(t.at, t.bytes)) good = false;
    }
    if (row < push.rows) atomicStore(row_starts[i], start, gl_ScopeWorkgroup, 0, 0);
  }
  if (!good) atomicAnd(in_order, 0u, gl_ScopeWorkgroup, 0, 0);
  barrier();
  return in_order != 0u;
}

uint start_of(uint i) { return atomicLoad(row_starts[i], gl_ScopeWorkgroup, 0, 0); }

// The last of `rows` rows that begins at byte `at` or before.
uint row_at(uint at, uint rows) {
  uint i = 0u;
  for (uint step = TILE_ROWS / 2u; step != 0u; step /= 2u) {
    if (i + step < rows && start_of(i + step) <= at) i += step;
  }
  return i;
}

// Word number `i` of the unit at `base`, of which bytes begin … end - 1 belong to the tile.
uint load_word(uvec2 base, uint i, uint begin, uint end) {
  uint x = 0u;
  if (4u * i + 4u > begin && 4u * i < end) x = VkpWords(base).v[i];
  return x;
}

// Which of the 16 places of a unit have the first bytes of the text: a bit for each.
uint hits_of(uint w[5], uint head, uint mask) {
  uint hits = 0u;
  [[unroll]] for (uint k = 0u; k < 16u; ++k) {
    uint here = w[k / 4u];
    if (k % 4u != 0u) here = here >> (8u * (k % 4u)) | w[k / 4u + 1u] << (32u - 8u * (k % 4u));
    if ((here & mask) == head) hits |= 1u << k;
  }
  return hits;
}

void search_bytes(uint tile, VkpText what) {
  const uint rows = min(push.rows - tile * TILE_ROWS, TILE_ROWS);
  const uint bytes = start_of(rows);
  const uint ahead = first_byte.x & 15u;
  const uvec2 units_at = uvec2(first_byte.x & ~15u, first_byte.y);
  const uint units = (ahead + bytes + 15u) / 16u;
  const uint rounds = (units + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uint head = vkp_text_word(what, 0);
  const uint mask = what.bytes >= 4u ? ~0u : ~(~0u << (8u * what.bytes));
  for (uint round = 0u; round < rounds; ++round) {
    const uint u = round * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uvec2 base = vkp_add64(units_at, vkp_mul64(u, 16u));
    const uint begin = u == 0u ? ahead : 0u;
    const uint end = u < units ? ahead + bytes - 16u * u : 0u;  // of the bytes that belong to the tile
    uint w[5];
    if (begin == 0u && end >= 20u) {
      const uvec4 four = VkpWords4(base).v[0];
      w = uint[](four.x, four.y, four.z, four.w, VkpWords(base).v[4]);
    } else {
      [[unroll]] for (uint i = 0u; i < 5u; ++i) w[i] = load_word(base, i, begin, end);
    }
    uint hits = u < units ? hits_of(w, head, mask) : 0u;
    for (; hits != 0u; hits &= hits - 1u) {
      const int at = int(16u * u + uint(findLSB(hits))) - int(ahead);
      if (at < 0 || uint(at) >= bytes) continue;
      const uint i = row_at(uint(at), rows);
      const uint row_end = start_of(i + 1u);
      if (row_end < uint(at) + what.bytes) continue;
      const VkpText rest = VkpText(vkp_add64(first_byte, uint(at)), what.bytes);
      if (what.bytes <= 4u || vkp_is_at(rest, 0u, what)) set_bit(i);
    }
  }
}

void main() {
  const uint tile = vkp_group_index();
  if (tile * TILE_ROWS >= push.rows) return;
  begin_tile();
  const VkpText what = scalar_text();
  const bool by_bytes = load_starts(tile);
  [[dont_unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    const uint row = tile * TILE_ROWS + i;
    if (row < push.rows && vkp_valid(push.a, row)) {
      set_valid(i);
      if (!by_bytes && vkp_find(vkp_row_text(push.a, row), what, 0u) != VKP_NPOS) set_bit(i);
    }
  }
  if (by_bytes) search_bytes(tile, what);
  end_tile(vkp_u64(push.out_offsets), true);
}

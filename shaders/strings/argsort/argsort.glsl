// This is what the kernels of the sort of strings share: keys of rows, and what is known of rows
// whose keys are the same.
//
// Rows are sorted by a key each, their first eight bytes. Rows whose key another row has, too,
// become records, which are sorted by comparison and go back to the places that they had between
// them.
#ifndef STRINGS_ARGSORT_GLSL
#define STRINGS_ARGSORT_GLSL

#include "strings/argsort/argsort.abi.h"
#include "vkprims/core.glsl"
#include "vkprims/strings/rows.glsl"

layout(push_constant) uniform Push { StringsArgsortPush push; };

bool is_descending() { return (push.format & VKP_ARGSORT_DESCENDING) != 0u; }
bool has_nulls_first() { return (push.format & VKP_ARGSORT_NULLS_FIRST) != 0u; }

// These are the places of elements: there are up to 2^31 - 1 rows, too many for an index.
uvec2 word_at(uvec2 base, uint i) { return vkp_add64(base, vkp_mul64(i, 4u)); }
uvec2 pair_at(uvec2 base, uint i) { return vkp_add64(base, vkp_mul64(i, 8u)); }
uvec2 record_at(uvec2 base, uint i) {
  return vkp_add64(base, vkp_mul64(i, VKP_ARGSORT_RECORD_BYTES));
}

uvec2 sorted_key(uint position) {
  return VkpWords2(pair_at(vkp_u64(push.sorted_keys), position)).v[0];
}

// Returns the number of rows that tie; it is below 2^31, as that of rows is.
uint tied_rows() { return VkpWords(vkp_u64(push.tied)).v[0]; }

// Returns how many merges of sorted runs of records there are until there is one run. The records
// go to and fro between `records` and `spare`.
uint merge_passes(uint tied) {
  const uint tiles = (tied + VKP_ARGSORT_TILE - 1u) / VKP_ARGSORT_TILE;
  return tiles <= 1u ? 0u : uint(findMSB(tiles - 1u)) + 1u;
}

// Returns where the records lie before merge `pass`, or after the last one.
uvec2 records_before(uint pass) {
  return pass % 2u == 0u ? vkp_u64(push.records) : vkp_u64(push.spare);
}

// Swaps bytes, so that the first byte becomes the highest.
uint big_endian(uint word) {
  const uint swapped = (word & 0x00ff00ffu) << 8 | (word >> 8 & 0x00ff00ffu);
  return swapped << 16 | swapped >> 16;
}

// Returns the eight bytes of a row from byte `begin` on as a number that orders as they do. Behind
// the end of a row there are zeros: a row that goes on with zeros may have the same number, but
// never a lower one. Nulls have the number at their end of the order.
uvec2 key_of(uint row, int begin) {
  uvec2 key = uvec2(has_nulls_first() ? 0u : ~0u);
  if (vkp_valid(push.column, row)) {
    const VkpText t = vkp_row_text(push.column, row);
    key = uvec2(big_endian(vkp_text_word(t, begin + 4)), big_endian(vkp_text_word(t, begin)));
    if (is_descending()) key = ~key;
  }
  return key;
}

#endif

// Long rows as short sequences of numbers, so that one invocation compares two rows of any length,
// or hashes one, in a few turns.
//
// A long row is cut into blocks of 256 bytes, 16 of these make a block of the next level, and so
// on; what is left at the end is no block. Blocks of a level that have the same contents, and only
// those, get the same number, as intern.comp compares their contents. So two rows are the same as
// far as the numbers of their blocks are, and where they differ is found from the largest blocks
// down: by up to 16 numbers of each level and 256 bytes.
//
// A block of level n has the place (begin in chars) / (its bytes) in the arrays of that level. Rows
// that do not overlap have no two blocks at one place: a block begins where the one before ends, or
// later. Rows whose offsets descend may overlap; a column that has any is not interned, and its
// rows are compared and hashed byte by byte, however long. That is the one loop here that is as
// long as a row: no column in Arrow's format has such offsets.
//
// Source: hash consing (A. Ershov, 1958), over a tree of fixed degree.
#ifndef STRINGS_INTERNED_GLSL
#define STRINGS_INTERNED_GLSL

#include "strings/interned/interned.abi.h"
#include "vkprims/core.glsl"
#include "vkprims/strings/rows.glsl"
#include "strings/hash.glsl"

uint block_shift(uint level) { return VKP_INTERNED_LEAF_SHIFT + VKP_INTERNED_FAN_SHIFT * level; }

// Returns the number of places of a level. It is one more than that of the blocks that all of chars
// could be cut into, for the last block of a row that begins late.
uint places_of(VkpStrings column, uint level) {
  return vkp_shr64(vkp_u64(column.bytes), block_shift(level)).x + 1u;
}

// Returns the number of places of all levels below.
uvec2 places_below(const VkpStrings column, const uint level) {
  const uint leaves = places_of(column, 0u);
  const uint others = (leaves >> VKP_INTERNED_FAN_SHIFT) + 1u;  // enough for each other level
  return level == 0u ? uvec2(0u) : vkp_add64(vkp_mul64(others, level - 1u), leaves);
}

// There are two slots for each place, then a number for each place, and three numbers more that no
// place has.
uvec2 table_of(VkpStrings column, uvec2 interned, uint level) {
  return vkp_add64(vkp_add64(interned, VKP_INTERNED_HEADER_BYTES),
                   vkp_mul64(places_below(column, level), 8u));
}
uvec2 numbers_of(VkpStrings column, uvec2 interned, uint level) {
  const uvec2 first = table_of(column, interned, VKP_INTERNED_LEVELS);
  return vkp_add64(first, vkp_mul64(places_below(column, level), 4u));
}

uint place_of(const VkpStrings column, const uvec2 at, const uint level) {
  return vkp_shr64(vkp_sub64(at, vkp_u64(column.chars)), block_shift(level)).x;
}

// Returns where the numbers of the blocks of a row from byte `begin` on are.
uvec2 numbers_at(VkpStrings column, uvec2 interned, VkpText row, uint begin, uint level) {
  const uint place = place_of(column, vkp_add64(row.at, begin), level);
  return vkp_add64(numbers_of(column, interned, level), vkp_mul64(place, 4u));
}

// ---- What is found before blocks are made.

void note_long_row(uvec2 interned, uint bytes) {
  atomicMin(VkpSharedWords(interned).v[VKP_INTERNED_LONGEST], ~bytes, gl_ScopeQueueFamily, 0, 0);
}

void check_row_offsets(VkpStrings column, uvec2 interned, uint row) {
  uvec2 begin, end;
  vkp_row_offsets(column, row, begin, end);
  if (vkp_less64(end, begin)) {
    atomicMin(VkpSharedWords(interned).v[VKP_INTERNED_ASCENDS], 0u, gl_ScopeQueueFamily, 0, 0);
  }
}

void note_some_long_row(uvec2 interned) {
  atomicMin(VkpSharedWords(interned).v[VKP_INTERNED_NONE_LONG], 0u, gl_ScopeQueueFamily, 0, 0);
}

// ---- What later dispatches read of that.

bool has_long_rows(uvec2 interned) {
  return VkpWords(interned).v[VKP_INTERNED_NONE_LONG] == 0u;
}

// Returns the bytes of the longest row that has been noted.
uint longest_row(uvec2 interned) { return ~VkpWords(interned).v[VKP_INTERNED_LONGEST]; }
bool has_ascending_offsets(uvec2 interned) {
  return VkpWords(interned).v[VKP_INTERNED_ASCENDS] != 0u;
}

// ---- Once blocks are made: for rows that are long, in columns whose offsets ascend.

struct FourNumbers {
  uint a, b, c, d;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer NumbersOfBlocks {
  FourNumbers v;
};

uvec4 four_numbers(uvec2 at, uint first) {
  const FourNumbers x = NumbersOfBlocks(vkp_add64(at, first * 4u)).v;
  return uvec4(x.a, x.b, x.c, x.d);
}

// Returns how many first bytes two rows have in common, in whole blocks: they differ within the
// next 256 bytes, or one ends there. Four numbers are compared at a time, whether they are of the
// rows or of what lies behind.
uint common_blocks(VkpStrings column, uvec2 interned, VkpText a, VkpText b) {
  const uint both = min(a.bytes, b.bytes);
  const uvec2 chars = vkp_u64(column.chars);
  const uvec2 p = vkp_sub64(a.at, chars);
  const uvec2 q = vkp_sub64(b.at, chars);
  const uvec2 leaves = numbers_of(column, interned, 0u);
  uint same = 0u;
  for (uint level = VKP_INTERNED_LEVELS; level-- > 0u;) {
    const uint blocks = both - same >> block_shift(level);
    if (blocks != 0u) {
      const uvec2 base = vkp_add64(leaves, vkp_mul64(places_below(column, level), 4u));
      const uvec2 x =
          vkp_add64(base, vkp_mul64(vkp_shr64(vkp_add64(p, same), block_shift(level)).x, 4u));
      const uvec2 y =
          vkp_add64(base, vkp_mul64(vkp_shr64(vkp_add64(q, same), block_shift(level)).x, 4u));
      uint k = 0u;
      bool differs = false;
      while (!differs && k < blocks) {
        const bvec4 other = notEqual(four_numbers(x, k), four_numbers(y, k));
        differs = any(other);
        k += other.x ? 0u : other.y ? 1u : other.z ? 2u : other.w ? 3u : 4u;
      }
      same += min(k, blocks) << block_shift(level);
    }
  }
  return same;
}

bool are_equal_long_rows(VkpStrings column, uvec2 interned, VkpText a, VkpText b) {
  if (a.bytes != b.bytes) return false;
  const uint same = common_blocks(column, interned, a, b);
  const uint left = a.bytes - same;
  if (left >> VKP_INTERNED_LEAF_SHIFT != 0u) return false;
  return vkp_equal(vkp_substr(a, same, left), vkp_substr(b, same, left));
}

uint hash_of_long_row(VkpStrings column, uvec2 interned, VkpText row, uint seed) {
  uint hash = mix_bits(seed ^ row.bytes);
  uint at = 0u;
  for (uint level = VKP_INTERNED_LEVELS; level-- > 0u;) {
    const uint blocks = row.bytes - at >> block_shift(level);
    if (blocks != 0u) {
      const uvec2 numbers = numbers_at(column, interned, row, at, level);
      for (uint k = 0u; k < blocks; ++k) hash = mix_bits(hash ^ VkpWords(numbers).v[k]);
      at += blocks << block_shift(level);
    }
  }
  return hash_of(vkp_substr(row, at, row.bytes - at), hash);
}

#endif

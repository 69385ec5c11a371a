// What the kernels of segmented_sort share: how keys order, and what lies in scratch.
#ifndef VKPRIMS_SEGMENTED_SORT_GLSL
#define VKPRIMS_SEGMENTED_SORT_GLSL

#include "sort/segmented_sort/segmented_sort.abi.h"
#include "vkprims/core.glsl"
#include "vkprims/floats.glsl"

layout(push_constant) uniform Push { SegmentedSortPush push; };

// Kernels with a sorting network are compiled once for all formats (segmented_sort.abi.h).
#ifdef FORMAT_IS_CONSTANT
layout(constant_id = VKP_SEGMENTED_SORT_SPEC_FORMAT) const uint format = 0;
#else
#define format push.format
#endif

uint value_words() { return format >> 8 & 0xffu; }
uint offset_words() { return format >> 16; }

// Keys are used as bits, as they lie in memory, and as numbers of which the lowest comes first.
// This is as in vkprims/keys.glsl, except that the type of the keys is not a constant. By value,
// different floats may have the same number; otherwise each number has its own bits.
#if KEY_WORDS == 1
#define KEY uint
bool key_less(KEY a, KEY b) { return a < b; }
KEY load_bits(const uvec2 base, const uint i) { return VkpWords(base).v[i]; }
void store_bits(uvec2 base, uint i, KEY bits) { VkpWords(base).v[i] = bits; }
uint high_word(KEY x) { return x; }
KEY with_sign(KEY rest, uint sign) { return rest | sign; }
#else
#define KEY uvec2
bool key_less(KEY a, KEY b) { return vkp_less64(a, b); }
KEY load_bits(const uvec2 base, const uint i) { return VkpWords2(base).v[i]; }
void store_bits(uvec2 base, uint i, KEY bits) { VkpWords2(base).v[i] = bits; }
uint high_word(KEY x) { return x.y; }
KEY with_sign(KEY rest, uint sign) { return uvec2(rest.x, rest.y | sign); }
#endif

uint if_format(const uint flag, const uint mask) { return (format & flag) != 0u ? mask : 0u; }

// Returns which bits of a key are flipped: all bits of negative floats, otherwise the sign, if
// there is one.
KEY flips(const bool negative) {
  const uint all = negative ? if_format(VKP_SEGMENTED_SORT_FLOAT, ~0u) : 0u;
  return with_sign(KEY(all), if_format(VKP_SEGMENTED_SORT_SIGNED, 0x80000000u));
}

KEY number_of(const KEY bits) {
  const bool by_value = (format & VKP_SEGMENTED_SORT_BY_VALUE) != 0u;
  KEY x = bits;
  if (by_value && vkp_bits_are_zero(bits)) x = KEY(0u);
  x ^= flips(int(high_word(x)) < 0) ^ if_format(VKP_SEGMENTED_SORT_DESCENDING, ~0u);
  if (by_value && vkp_bits_are_nan(bits)) x = KEY(~0u);
  return x;
}

// Does the same with an early return, which is faster where keys are in shared memory.
KEY number_of_shared(KEY bits) {
  if ((format & VKP_SEGMENTED_SORT_BY_VALUE) != 0u) {
    if (vkp_bits_are_nan(bits)) return KEY(~0u);
    if (vkp_bits_are_zero(bits)) bits = KEY(0u);
  }
  return bits ^ flips(int(high_word(bits)) < 0) ^ if_format(VKP_SEGMENTED_SORT_DESCENDING, ~0u);
}

KEY bits_of(const KEY number) {
  const KEY ascending = number ^ if_format(VKP_SEGMENTED_SORT_DESCENDING, ~0u);
  return ascending ^ flips(int(high_word(ascending)) >= 0);
}

// The address of element `first` of one of the sequences, whose elements have `words` words.
uvec2 element(const VkpU64 base, const uvec2 first, const uint words) {
  return vkp_add64(vkp_u64(base), vkp_mul64(first, 4u * words));
}

VkpSharedWords header() { return VkpSharedWords(vkp_u64(push.scratch)); }

uint tiles_in_list() { return min(VkpWords(vkp_u64(push.scratch)).v[0], push.max_tiles); }

// A segment that has been cut into tiles, as recorded for each of its tiles.
struct Tiled {
  uvec2 first, keys;  // first key, and number of keys
  uint tile;            // number of the tile in the segment
};

uvec2 tile_address(uint i) {
  const uvec2 tiles = vkp_add64(vkp_u64(push.scratch), VKP_SEGMENTED_SORT_HEADER_BYTES);
  return vkp_add64(tiles, vkp_mul64(i, VKP_SEGMENTED_SORT_TILE_BYTES));
}

// `first` and `keys` have less than 40 bits.
void store_tile(uint i, Tiled x) {
  VkpWords4(tile_address(i)).v[0] = uvec4(x.first.x, x.keys.x, x.first.y | x.keys.y << 16, x.tile);
}

Tiled load_tile(uint i) {
  const uvec4 x = VkpWords4(tile_address(i)).v[0];
  return Tiled(uvec2(x.x, x.z & 0xffffu), uvec2(x.y, x.z >> 16), x.w);
}

// How many tiles of `items` keys a segment has; less than 2^31.
uint tiles_of(uvec2 length, uint items) {
  return vkp_shr64(vkp_add64(length, items - 1u), findMSB(items)).x;
}

// How often runs are merged until there is only one.
uint passes_of(uint tiles) { return uint(findMSB(tiles - 1u)) + 1u; }

// Whether a segment lies in `out` after `pass` of `passes` merges, as it does in the end; otherwise
// it lies in scratch.
bool is_in_out(uint pass, uint passes) { return (passes - pass) % 2u == 0u; }

#endif

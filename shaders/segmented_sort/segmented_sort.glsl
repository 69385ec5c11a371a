// What the kernels of segmented_sort share: how keys order, and what lies in scratch.
#ifndef VKPRIMS_SEGMENTED_SORT_GLSL
#define VKPRIMS_SEGMENTED_SORT_GLSL

#include "segmented_sort.abi.h"
#define VKP_KEY_TYPE_CONSTANT VKP_SEGMENTED_SORT_SPEC_TYPE
#include "vkprims/keys.glsl"

layout(push_constant) uniform Push { SegmentedSortPush push; };

layout(constant_id = VKP_SEGMENTED_SORT_SPEC_ORDER) const uint order = 0;
layout(constant_id = VKP_SEGMENTED_SORT_SPEC_VALUE_WORDS) const uint value_words = 0;
const bool descending = (order & VKP_SEGMENTED_SORT_DESCENDING) != 0u;
const bool nan_last = (order & VKP_SEGMENTED_SORT_NAN_LAST) != 0u;

// Keys as they lie in memory, and as numbers of which the lowest comes first. With nan_last different bits make the
// same number, else each number has its bits.
#if VKP_KEY_WORDS == 1
VKP_KEY load_bits(uvec2 base, uint i) { return VkpWords(base).v[i]; }
void store_bits(uvec2 base, uint i, VKP_KEY bits) { VkpWords(base).v[i] = bits; }
bool is_nan(VKP_KEY bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
bool is_zero(VKP_KEY bits) { return (bits & 0x7fffffffu) == 0u; }
#else
VKP_KEY load_bits(uvec2 base, uint i) { return VkpWords2(base).v[i]; }
void store_bits(uvec2 base, uint i, VKP_KEY bits) { VkpWords2(base).v[i] = bits; }
bool is_nan(VKP_KEY bits) { return vkp_less64(uvec2(0u, 0x7ff00000u), uvec2(bits.x, bits.y & 0x7fffffffu)); }
bool is_zero(VKP_KEY bits) { return (bits.y & 0x7fffffffu) == 0u && bits.x == 0u; }
#endif

VKP_KEY number_of(VKP_KEY bits) {
  if (nan_last) {
    if (is_nan(bits)) return VKP_KEY(~0u);
    if (is_zero(bits)) bits = VKP_KEY(0u);
  }
  const VKP_KEY key = vkp_key_of(bits);
  return descending ? ~key : key;
}

VKP_KEY bits_of(VKP_KEY number) { return vkp_key_bits(descending ? ~number : number); }

// Words of one of the sequences, counted from its element `first`.
uvec2 element(VkpU64 base, uvec2 first, uint words) {
  return vkp_add64(vkp_u64(base), vkp_mul64(first, 4u * words));
}

VkpSharedWords header() { return VkpSharedWords(vkp_u64(push.scratch)); }

uint tiles_in_list() { return min(VkpWords(vkp_u64(push.scratch)).v[0], push.max_tiles); }

// A segment that has been cut into tiles, as each of its tiles has it on record.
struct Tiled {
  uvec2 first, keys;  // keys
  uint tile;            // of the segment
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

// How often runs are merged until there is one.
uint passes_of(uint tiles) { return uint(findMSB(tiles - 1u)) + 1u; }

// Whether what a segment is after `pass` of `passes` merges lies in `out`, where it ends: else in scratch.
bool is_in_out(uint pass, uint passes) { return (passes - pass) % 2u == 0u; }

#endif

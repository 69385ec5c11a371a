// This is what the kernels of nearest_smaller have in common: how keys compare, and where items and
// their keys are.
//
// The kernels look backwards in a sequence of items. These are the elements from the first on or,
// mirrored, from the last on. Before the first element there may be items that do not exist, so
// that every 16 bytes of items are aligned in memory. Only addresses tell the two directions apart.
#ifndef VKPRIMS_NEAREST_SMALLER_GLSL
#define VKPRIMS_NEAREST_SMALLER_GLSL

#include "stack/nearest_smaller/nearest_smaller.abi.h"
#define VKP_KEY_TYPE_CONSTANT VKP_NEAREST_SPEC_TYPE
#if defined(VKP_KEY_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif
#include "vkprims/keys.glsl"
#include "vkprims/workgroup/shared_words.glsl"

layout(constant_id = VKP_NEAREST_SPEC_COMPARE) const uint compare = 0;
layout(constant_id = VKP_NEAREST_SPEC_MIRRORED) const uint mirrored = 0;
layout(constant_id = VKP_NEAREST_SPEC_INDEX_WORDS) const uint index_words = 1;
layout(constant_id = VKP_NEAREST_SPEC_BLOCKS) const uint tile_blocks = 128;
const bool or_equal = compare % 2u == 1u;
const bool want_greater = compare / 2u == 1u;

layout(push_constant) uniform Push { NearestSmallerPush push; };

const uint BLOCK = VKP_NEAREST_BLOCK_BYTES / (4u * VKP_KEY_WORDS);  // items of an invocation
const uint CELL = 4u / VKP_KEY_WORDS;                               // items in 16 bytes
const uint NONE = 0xffffffffu;
const uint FAN_OUT = VKP_NEAREST_FAN_OUT;

// ---- Keys are numbers of which the smaller ones are looked for, whatever the type and the
// comparison. NaN and items that do not exist have the last key, so that minima pass them over. No
// other float has it.

const VKP_KEY LAST = VKP_KEY(0xffffffffu);

#if VKP_KEY_WORDS == 1
bool bits_are_nan(uint bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
bool bits_are_minus_zero(uint bits) { return bits == 0x80000000u; }
VKP_KEY key_of_cell(uvec4 cell, uint k) { return cell[k]; }
#else
bool bits_are_nan(uvec2 bits) {
  return vkp_less64(uvec2(0u, 0x7ff00000u), uvec2(bits.x, bits.y & 0x7fffffffu));
}
bool bits_are_minus_zero(uvec2 bits) { return bits == uvec2(0u, 0x80000000u); }
VKP_KEY key_of_cell(uvec4 cell, uint k) { return k == 0u ? cell.xy : cell.zw; }
#endif

VKP_KEY order_of(VKP_KEY bits) {
  if (vkp_key_is_float) {
    if (bits_are_nan(bits)) return LAST;
    if (bits_are_minus_zero(bits)) bits = VKP_KEY(0u);
  }
  const VKP_KEY key = vkp_key_of(bits);
  if (want_greater) return ~key;
  return key;
}

bool is_nan(VKP_KEY key) { return vkp_key_is_float && key == LAST; }

// Says whether an item that has `candidate` is an answer for one that has `key`, if it is the
// nearest.
bool answers(VKP_KEY candidate, VKP_KEY key) {
  if (or_equal) return !vkp_key_less(key, candidate);
  return vkp_key_less(candidate, key);
}

VKP_KEY least_of(VKP_KEY a, VKP_KEY b) { return vkp_key_less(b, a) ? b : a; }

// ---- Items.

struct Sequence {
  uvec2 count;  // elements
  uint head;    // items before the first element
};

Sequence load_sequence() {
  Sequence s;
  s.count = vkp_read_count(push.count);
  const uint begin = push.key_base.lo;
  const uint end = begin + s.count.x * VKP_KEY_BYTES;
  s.head = ((mirrored != 0u ? 0u - end : begin) & 15u) / VKP_KEY_BYTES;
  return s;
}

uint tile_items() { return tile_blocks * BLOCK; }
// Returns the number of tiles, less than 2^28.
uint tiles_of(Sequence s) {
  if (s.count == uvec2(0u)) return 0u;
  const uint shift = uint(findLSB(tile_items()));
  return vkp_shr64(vkp_add64(s.count, s.head + tile_items() - 1u), shift).x;
}

// Returns the element of an item; its number is wrapped for items that do not exist.
uvec2 element_of(Sequence s, uvec2 item) {
  if (mirrored != 0u) return vkp_sub64(vkp_add64(s.count, s.head), vkp_add64(item, 1u));
  return vkp_sub64(item, uvec2(s.head, 0u));
}
// Moves an element or an address on by `by` items; for addresses, `by` is the bytes of these items.
uvec2 further(uvec2 x, uint by) {
  return mirrored != 0u ? vkp_sub64(x, uvec2(by, 0u)) : vkp_add64(x, by);
}

uvec2 key_address(uvec2 element) {
  return vkp_add64(vkp_u64(push.key_base), vkp_mul64(element, VKP_KEY_BYTES));
}

// The items of a part of the sequence that exist.
struct Range {
  uint begin, end;
};

Range range_of(Sequence s, uint tile) {
  return Range(tile == 0u ? s.head : 0u,
               vkp_clamped_difference(vkp_add64(s.count, s.head), vkp_mul64(tile, tile_items()),
                                      tile_items()));
}

// Loads the keys of 16 bytes of items; `first` is the address of item 0 of the part.
void load_cell(uvec2 first, uint cell, Range range, out VKP_KEY keys[CELL]) {
  const uvec2 at = further(first, 16u * cell);
  if (CELL * cell >= range.begin && CELL * cell + CELL <= range.end) {
    const uvec2 lowest = mirrored != 0u ? vkp_sub64(at, uvec2(16u - VKP_KEY_BYTES, 0u)) : at;
    const uvec4 bits = VkpWords4(lowest).v[0];
    [[unroll]] for (uint k = 0u; k < CELL; ++k) {
      keys[k] = order_of(key_of_cell(bits, mirrored != 0u ? CELL - 1u - k : k));
    }
    return;
  }
  [[unroll]] for (uint k = 0u; k < CELL; ++k) {
    const uint item = CELL * cell + k;
    keys[k] = LAST;
    if (item >= range.begin && item < range.end) {
#if VKP_KEY_WORDS == 1
      keys[k] = order_of(VkpWords(further(at, k * VKP_KEY_BYTES)).v[0]);
#else
      keys[k] = order_of(VkpWords2(further(at, k * VKP_KEY_BYTES)).v[0]);
#endif
    }
  }
}

#endif

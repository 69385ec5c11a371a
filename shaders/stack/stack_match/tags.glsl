// The kinds of symbols, however these are stored.
#ifndef VKPRIMS_STACK_MATCH_TAGS_GLSL
#define VKPRIMS_STACK_MATCH_TAGS_GLSL

#include "stack/stack_match/stack_match.glsl"

layout(constant_id = VKP_STACK_SPEC_INPUT) const uint symbol_input = 0;  // vkprims::StackInput
const uint tags_u8 = 0;
const uint tags_u32 = 1;

// These are the values of vkprims::StackTag.
const uint KIND_NONE = 0u;
const uint KIND_OPEN = 1u;
const uint KIND_CLOSE = 2u;
const uint KIND_RESET = 3u;

// Items of a tile exist from `begin` up to `end`; those up to `symbols` have a symbol.
struct Range {
  uint begin, symbols, end;
};

Range range_of(uint tile, uvec2 items) {
  const uvec2 first = vkp_mul64(tile, tile_items());
  const uint end = vkp_clamped_difference(items, first, tile_items());
  const uint symbols =
      one_more == 0u ? end
                     : vkp_clamped_difference(vkp_sub64(items, uvec2(1u, 0u)), first, tile_items());
  return Range(tile == 0u ? push.head : 0u, symbols, end);
}

// Returns the tag of an item, counted from the first cell on; planes of bits give only its kind.
uint tag_of(const uvec2 item) {
  const uvec2 base = vkp_u64(push.symbols);
  if (symbol_input == tags_u32) return VkpWords(vkp_add64(base, vkp_shl64(item, 2u))).v[0];
  if (symbol_input == tags_u8) {
    const uvec2 word = vkp_add64(base, uvec2(item.x & ~3u, item.y));
    return VkpWords(word).v[0] >> 8u * (item.x & 3u) & 0xffu;
  }
  const uvec2 word = vkp_shl64(vkp_shr64(item, 5u), 2u);
  const uint open = VkpWords(vkp_add64(base, word)).v[0] >> (item.x & 31u) & 1u;
  const uint close = VkpWords(vkp_add64(vkp_u64(push.closes), word)).v[0] >> (item.x & 31u) & 1u;
  return open | close << 1u;
}

#endif

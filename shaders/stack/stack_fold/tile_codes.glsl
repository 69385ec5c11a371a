// A tile whose items are to be folded: for each of them the open on top of the stack before it, as
// far as it is in the tile.
#ifndef VKPRIMS_STACK_FOLD_TILE_CODES_GLSL
#define VKPRIMS_STACK_FOLD_TILE_CODES_GLSL

#include "stack/stack_fold/stack_fold.glsl"
#include "stack/stack_match/tags.glsl"

const uint NO_CODE = 0xffffu;

struct Tile {
  uvec2 codes;
  uvec2 first;   // element of item 0
  Range range;
  uint seeded;   // items from here on have no fold from seeds.comp
};

// Nothing comes before the first tile, so that it needs no seeds.
Tile load_tile(uint tile, uvec2 items) {
  const uvec2 codes = vkp_add64(vkp_u64(push.depth), vkp_mul64(tile, 2u * tile_items()));
  Tile t = Tile(codes, tile_first(tile), range_of(tile, items), 0u);
  const uint pending = load_effect(tile).pending;
  if (tile != 0u && pending != 0u) {
    t.seeded = pending_item(VkpWords(list_of(tile)).v[list_words() - pending]) + 1u;
  }
  return t;
}

bool exists(Tile t, uint item) { return item >= t.range.begin && item < t.range.end; }
bool is_seeded(Tile t, uint item) { return exists(t, item) && item < t.seeded; }

uint code_of(const Tile t, const uint item) {
  return exists(t, item) ? VkpWords(t.codes).v[item / 2u] >> item % 2u * 16u & 0xffffu : NO_CODE;
}

#endif

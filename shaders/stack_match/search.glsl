// The open at a level before a tile: by the tree of keys to the tile that has it, by ranks to its block.
#ifndef VKPRIMS_STACK_MATCH_SEARCH_GLSL
#define VKPRIMS_STACK_MATCH_SEARCH_GLSL

#include "stack_match/stack_match.glsl"

// The last of the keys of a node, those below `end`, that is not above `level`; `end` if there is none.
uint last_not_above(uint begin, uint node, uint end, uvec2 level) {
  uint found = end;
  const uvec2 at = vkp_add64(keys(), vkp_mul64(begin + node * VKP_STACK_FAN_OUT, 8u));
  uvec4 pairs[VKP_STACK_FAN_OUT / 2u];
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT / 2u; ++k) pairs[k] = VkpWords4(at).v[k];
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT; ++k) {
    const uint i = node * VKP_STACK_FAN_OUT + k;
    const uvec2 key = k % 2u == 0u ? pairs[k / 2u].xy : pairs[k / 2u].zw;
    if (i < end && !vkp_less64(level, key)) found = i;
  }
  return found;
}

// The last tile before `tile` whose key is not above `level`; `tile` if there is none.
uint tile_of_level(uint tiles, uint tile, uvec2 level) {
  uint end = tile;
  uint height = 0u;
  uint found = end;
  while (end != 0u) {
    if (end % VKP_STACK_FAN_OUT != 0u) {
      found = last_not_above(tree_level(tiles, height).begin, end / VKP_STACK_FAN_OUT, end, level);
      if (found != end) break;
    }
    end /= VKP_STACK_FAN_OUT;
    ++height;
  }
  if (end == 0u) return tile;
  while (height != 0u) {
    --height;
    const uint behind = (found + 1u) * VKP_STACK_FAN_OUT;
    found = last_not_above(tree_level(tiles, height).begin, found, behind, level);
  }
  return found;
}

uint rank_of(uint tile, uint block) { return VkpWords(blocks_of(tile)).v[4u * block + 3u] & 0xffffu; }

// The last block whose rank is not above; several places are looked at together, as the time goes to waiting.
uint block_of_rank(uint tile, uint rank) {
  uint low = 0u;
  uint range = tile_blocks;
  while (range >= 8u) {
    range /= 8u;
    uint ranks[7];
    [[unroll]] for (uint k = 0u; k < 7u; ++k) ranks[k] = rank_of(tile, low + (k + 1u) * range);
    uint passed = 0u;
    [[unroll]] for (uint k = 0u; k < 7u; ++k) passed += ranks[k] <= rank ? 1u : 0u;
    low += passed * range;
  }
  while (range > 1u) {
    range /= 2u;
    if (rank_of(tile, low + range) <= rank) low += range;
  }
  return low;
}

// The stack as pending items see it: of the block of a tile that has its top.
struct Stack {
  uint tile;     // the block's, or that of the items
  uint block, opens;  // survivors at or below the level
  uvec2 level;   // of the next one to be taken
  uvec2 base;    // of the tile's first survivor
  bool nothing;  // is left
};

// The block that has the level.
void find(uint tiles, uint own_tile, inout Stack s) {
  if (s.tile == own_tile || vkp_less64(s.level, s.base)) {
    // The tile looked at last is asked again: if it resets, no level below it can be seen.
    const uint end = s.tile == own_tile ? s.tile : s.tile + 1u;
    s.tile = tile_of_level(tiles, end, s.level);
    s.nothing = s.tile == end;
    if (s.nothing) return;
    s.base = load_place(s.tile).base;
    s.nothing = vkp_less64(s.level, s.base);
    if (s.nothing) return;
  }
  const uint rank = vkp_sub64(s.level, s.base).x;
  s.block = block_of_rank(s.tile, rank);
  const Block b = load_block(s.tile, s.block);
  s.opens = b.survivors & (0xffffffffu >> (31u - select_bit(b.survivors, rank - (b.rank & 0xffffu))));
}

#endif

// The open at a level before a tile: the tree of keys leads to the tile that has it, and its rank
// to the open.
#ifndef VKPRIMS_STACK_MATCH_SEARCH_GLSL
#define VKPRIMS_STACK_MATCH_SEARCH_GLSL

#include "stack/stack_match/stack_match.glsl"

// A node of the tree or a tile, with its key.
struct Keyed {
  uint at;
  uvec2 key;
};

// Returns the last of the keys of a node, those below `end`, that is not above `level`; `end` if
// there is none.
Keyed last_not_above(const uint begin, const uint node, const uint end, const uvec2 level) {
  Keyed found = Keyed(end, NO_LEVEL);
  const uint first = node * VKP_STACK_FAN_OUT;
  const uvec2 at = key_at(begin + first);
  uvec4 words[VKP_STACK_FAN_OUT * level_words / 4u];
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT * level_words / 4u; ++k) {
    words[k] = VkpWords4(at).v[k];
  }
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT; ++k) {
    uvec2 key = uvec2(words[k / 4u][k % 4u], 0u);
    if (level_words == 2u) {
      const uvec4 pair = words[k / 2u];
      key = k % 2u == 0u ? pair.xy : pair.zw;
    }
    if (k < end - first && !level_below(level, key)) found = Keyed(first + k, key);
  }
  return found;
}

// Returns the last tile before `tile` whose key is not above `level`; `tile` if there is none.
Keyed tile_of_level(uint tiles, uint tile, uvec2 level) {
  uint end = tile;
  uint height = 0u;
  uint begin = 0u;
  Keyed found = Keyed(tile, NO_LEVEL);
  while (end != 0u) {
    if (end % VKP_STACK_FAN_OUT != 0u) {
      found = last_not_above(begin, end / VKP_STACK_FAN_OUT, end, level);
      if (found.at != end) break;
    }
    end /= VKP_STACK_FAN_OUT;
    ++height;
    begin += VKP_STACK_FAN_OUT * tree_count(tiles, height);
  }
  if (end == 0u) return Keyed(tile, NO_LEVEL);
  while (height != 0u) {
    begin -= VKP_STACK_FAN_OUT * tree_count(tiles, height);
    --height;
    found = last_not_above(begin, found.at, (found.at + 1u) * VKP_STACK_FAN_OUT, level);
  }
  return found;
}

// Found says that a level is in `tile`, whose first survivor has level `base`. It is good for all
// levels from `base` up to the one that was looked for.
struct Found {
  uint tile;
  uvec2 base;
};

// Finds `level`, which must be one that the stack before the tile has.
Found find(const uint tiles, const uint tile, const uvec2 level) {
  const Keyed found = tile_of_level(tiles, tile, level);
  // The key of a tile that resets says nothing about its survivors.
  return Found(found.at, found.key == NO_BOTTOM ? load_place(found.at).base : found.key);
}

// Returns the element of the open at a level.
uvec2 open_at(Found f, uvec2 level) {
  const uint rank = vkp_sub64(level, f.base).x;
  return vkp_add64(tile_first(f.tile), VkpWords(list_of(f.tile)).v[rank]);
}

#endif

// The nearest answer before a tile: the tree leads to a group of blocks, and the record of its tile
// to a block.
#ifndef VKPRIMS_NEAREST_SMALLER_SEARCH_GLSL
#define VKPRIMS_NEAREST_SMALLER_SEARCH_GLSL

#include "stack/nearest_smaller/tree.glsl"

// Returns the least key before a tile.
VKP_KEY least_before(uint tiles, uint tile) {
  VKP_KEY least = LAST;
  Nodes nodes = nodes_at(tiles, 0u);
  for (uint end = tile * TILE_GROUPS; end != 0u; end /= FAN_OUT) {
    const uint first = end / FAN_OUT * FAN_OUT;
    if (end != first) {
      least = least_of(least, least_of_node(tree_keys(), nodes.begin + first, end - first));
    }
    nodes = nodes_above(nodes);
  }
  return least;
}

// Returns the last group of blocks before a tile that has an answer; there is one.
uint group_of_key(uint tiles, uint tile, VKP_KEY key) {
  uint end = tile * TILE_GROUPS;
  uint found = 0u;
  uint height = 0u;
  Nodes nodes = nodes_at(tiles, 0u);
  while (end != 0u) {
    const uint first = end / FAN_OUT * FAN_OUT;
    if (end != first) {
      found = first + last_of_node(tree_keys(), nodes.begin + first, end - first, key);
      if (found != end) break;
    }
    end /= FAN_OUT;
    ++height;
    nodes = nodes_above(nodes);
  }
  if (end == 0u) return 0u;  // not reached, as there is an answer
  while (height != 0u) {
    --height;
    const uint first = found * FAN_OUT;
    found =
        first + min(last_of_node(tree_keys(), nodes_at(tiles, height).begin + first, FAN_OUT, key),
                    FAN_OUT - 1u);
  }
  return found;
}

// Returns the item that is the nearest answer before a tile; there is one.
uvec2 item_of_key(Sequence s, uint tiles, uint tile, VKP_KEY key) {
  const uint group = group_of_key(tiles, tile, key);
  const uint at = group / TILE_GROUPS;
  const uint eights = group % TILE_GROUPS * FAN_OUT;
  const uint eight =
      eights + min(last_of_node(eight_keys_of(at), eights, FAN_OUT, key), FAN_OUT - 1u);
  const uint block =
      eight * FAN_OUT +
      min(last_of_node(block_keys_of(at), eight * FAN_OUT, FAN_OUT, key), FAN_OUT - 1u);
  const uvec2 item = vkp_add64(vkp_mul64(at, tile_items()), block * BLOCK);
  const uvec2 first = key_address(element_of(s, item));
  const Range range = Range(at == 0u && block == 0u ? s.head : 0u, BLOCK);
  VKP_KEY keys[BLOCK / CELL][CELL];  // all are on their way before the first is looked at
  [[unroll]] for (uint i = 0u; i < BLOCK / CELL; ++i) load_cell(first, i, range, keys[i]);
  uint found = range.begin;
  [[unroll]] for (uint i = 0u; i < BLOCK; ++i) {
    if (answers(keys[i / CELL][i % CELL], key)) found = i;
  }
  return vkp_add64(item, found);
}

#endif

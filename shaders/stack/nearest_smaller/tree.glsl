// This file describes what tiles leave in scratch, and the tree of least keys over them.
#ifndef VKPRIMS_NEAREST_SMALLER_TREE_GLSL
#define VKPRIMS_NEAREST_SMALLER_TREE_GLSL

#include "stack/nearest_smaller/nearest_smaller.glsl"

const uint TILE_GROUPS = tile_blocks / VKP_NEAREST_GROUP;

// ---- The record of a tile.

const uint RECORD_BYTES = VKP_NEAREST_HEADER_BYTES +
                          (tile_blocks + tile_blocks / FAN_OUT) * VKP_KEY_BYTES + tile_blocks * 4u;

uvec2 record_of(const uint tile) {
  return vkp_add64(vkp_add64(vkp_u64(push.scratch), VKP_NEAREST_RECORDS_OFFSET),
                   vkp_mul64(tile, RECORD_BYTES));
}
uvec2 block_keys_of(uint tile) { return vkp_add64(record_of(tile), VKP_NEAREST_HEADER_BYTES); }
uvec2 eight_keys_of(uint tile) {
  return vkp_add64(block_keys_of(tile), tile_blocks * VKP_KEY_BYTES);
}
uvec2 pending_of(uint tile) {
  return vkp_add64(eight_keys_of(tile), tile_blocks / FAN_OUT * VKP_KEY_BYTES);
}

// ---- The tree. Its leaves are groups of blocks.

uvec2 tree_keys() { return record_of(push.max_tiles); }

// The nodes of a height.
struct Nodes {
  uint begin, count;
};

Nodes nodes_above(Nodes below) {
  const uint count = (below.count + FAN_OUT - 1u) / FAN_OUT;
  return Nodes(below.begin + count * FAN_OUT, count);
}

Nodes nodes_at(uint tiles, uint height) {
  Nodes nodes = Nodes(0u, tiles * TILE_GROUPS);
  for (uint i = 0u; i < height; ++i) nodes = nodes_above(nodes);
  return nodes;
}

// ---- Least keys, of which 8 neighbours make a node.

uvec2 stored_key(uvec2 base, uint i) { return vkp_add64(base, vkp_mul64(i, VKP_KEY_BYTES)); }

void store_key(const uvec2 base, const uint i, const VKP_KEY key) {
#if VKP_KEY_WORDS == 1
  VkpWords(stored_key(base, i)).v[0] = key;
#else
  VkpWords2(stored_key(base, i)).v[0] = key;
#endif
}

void load_node(uvec2 base, uint first, out VKP_KEY keys[FAN_OUT]) {
  const uvec2 at = stored_key(base, first);
  [[unroll]] for (uint i = 0u; i < FAN_OUT / CELL; ++i) {
    const uvec4 cell = VkpWords4(at).v[i];
    [[unroll]] for (uint k = 0u; k < CELL; ++k) keys[i * CELL + k] = key_of_cell(cell, k);
  }
}

// Returns the least of the first `end` keys of a node.
VKP_KEY least_of_node(uvec2 base, uint first, uint end) {
  VKP_KEY keys[FAN_OUT];
  load_node(base, first, keys);
  VKP_KEY least = LAST;
  [[unroll]] for (uint k = 0u; k < FAN_OUT; ++k) {
    if (k < end) least = least_of(least, keys[k]);
  }
  return least;
}

// Returns the last of the first `end` keys of a node that answers; `end` if none does.
uint last_of_node(const uvec2 base, const uint first, const uint end, const VKP_KEY key) {
  VKP_KEY keys[FAN_OUT];
  load_node(base, first, keys);
  uint found = end;
  [[unroll]] for (uint k = 0u; k < FAN_OUT; ++k) {
    if (k < end && answers(keys[k], key)) found = k;
  }
  return found;
}

#endif

// Nearest smaller values: finds for each item the last one before it whose key is smaller, as far
// as that is in its tile. This is the first of three kinds of dispatches; tree.comp makes a tree of
// least keys over all tiles, and finish.comp finds what lies before the tile. No workgroup waits
// for another.
//
// An invocation has a block of 128 bytes of keys, 32 items or 16, and walks over them with a stack
// that is a mask. Items that find the stack empty are pending. A table of the least keys of 2^k
// blocks leads to the block that has their answer in 7 steps, and the stack that this block has
// left, whose keys ascend, leads to the item in 5. An item that finds nothing in the tile has no
// answer so far and stays pending.
//
// Work: per block at most 32 items are put on the stack and taken off, and each pending item takes
// 12 steps, whatever the keys: O(1) for each item.
//
// Source: O. Berkman, B. Schieber, U. Vishkin, "Optimal Doubly Logarithmic Parallel Algorithms
// Based on Finding All Nearest Smaller Values" (1993), for blocks whose stacks meet only through
// their least keys; the search in a tree of minima is that of the compiler Pareas, R. Voetter, M.
// Huijben, K. Rietveld, "Compilation on the GPU?" (2022).
// %VARIANT% KEY word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/nearest_smaller/blocks.glsl"
#include "stack/nearest_smaller/tree.glsl"

shared uint first_pending;

// Stores what later dispatches need of this tile.
void store_record(uint tile, uint pending) {
  const uint own = gl_LocalInvocationIndex;
  if (own < tile_blocks) {
    if (pending != 0u) atomicMin(first_pending, own * BLOCK + uint(findLSB(pending)));
    VkpWords(pending_of(tile)).v[own] = pending;
    store_key(block_keys_of(tile), own, least_at(0u, own));
    if (own % FAN_OUT == FAN_OUT - 1u) {
      store_key(eight_keys_of(tile), own / FAN_OUT, least_at(3u, own));
    }
    if (own % VKP_NEAREST_GROUP == VKP_NEAREST_GROUP - 1u) {
      store_key(tree_keys(), tile * TILE_GROUPS + own / VKP_NEAREST_GROUP, least_at(6u, own));
    }
  }
  barrier();
  if (own != 0u) return;
  const bool any = first_pending != NONE;
  uvec4 header = uvec4(0u, 0u, any ? 1u : 0u, 0u);
  if (any) {
    const VKP_KEY key = key_at(first_pending / BLOCK, first_pending % BLOCK);
#if VKP_KEY_WORDS == 1
    header.x = key;
#else
    header.xy = key;
#endif
  }
  VkpWords4(record_of(tile)).v[0] = header;
}

void main() {
  const Sequence s = load_sequence();
  const uint tile = vkp_group_index();
  if (tile >= tiles_of(s)) return;
  const Range range = range_of(s, tile);
  const uint own = gl_LocalInvocationIndex;
  if (own == 0u) first_pending = NONE;
  load_keys(s, tile, range);
  barrier();
  uint pending = walk_block(own, existing(range, own));
  build_table();
  barrier();
  pending = find_in_tile(own, pending);
  if (push.max_tiles > 1u) store_record(tile, pending);
  barrier();
  store_answers(s, tile, range);
}

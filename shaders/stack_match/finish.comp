// Answers that lie before the tile. Last dispatch of stack_match.
//
// An invocation has a block of a tile and goes over its pending items, whose levels fall by one with every close. The
// open at a level is in the last tile before whose key is not above it: found by going up the tree of keys and down
// again, 8 at a time. There it is the survivor of that rank: blocks have the ranks of their first survivors, which
// ascend. The next level is mostly in the same block, so only what has left it is searched for.
//
// Work: for each pending item at most 2 * log8(tiles) nodes and log2(blocks of a tile) ranks, whatever the input. In
// between nothing waits for anything.
#version 460
#extension GL_GOOGLE_include_directive : require
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

// The survivors that a search looks at: of a block of a tile.
struct Spot {
  uint tile, block, survivors;
  uint rank;   // of the first of them in the tile
  uvec2 base;  // level of the first survivor of the tile
};

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

void main() {
  const uint tiles = tiles_of(item_count());
  const uint tile = vkp_group_index();
  if (tile >= tiles) return;
  const Block b = load_block(tile, invocation());
  if (b.pending == 0u) return;
  const uvec2 begin = load_place(tile).begin;
  uvec2 level = vkp_sub64(begin, uvec2(1u + (b.rank >> 16u), 0u));
  const uvec2 first = vkp_add64(tile_first(tile), invocation() * BLOCK);
  Spot at = Spot(tile, 0u, 0u, 0u, uvec2(0u));
  uvec2 result = uvec2(NONE);
  bool known = false;
  bool nothing = tile == 0u;  // nor below
  for (uint pending = b.pending; pending != 0u; pending &= pending - 1u) {
    const uint e = uint(findLSB(pending));
    if (!known && !nothing) {
      const bool same_tile = at.tile != tile && !vkp_less64(level, at.base);
      if (!same_tile) {
        // The tile looked at last is asked again: if it resets, no level below it can be seen.
        const uint end = at.tile == tile ? tile : at.tile + 1u;
        at.tile = tile_of_level(tiles, end, level);
        nothing = at.tile == end;
        if (!nothing) {
          at.base = load_place(at.tile).base;
          nothing = vkp_less64(level, at.base);
        }
      }
      if (!nothing) {
        const uint rank = vkp_sub64(level, at.base).x;
        if (!same_tile || rank < at.rank) {
          const uint low = block_of_rank(at.tile, rank);
          const Block other = load_block(at.tile, low);
          at.block = low;
          at.survivors = other.survivors;
          at.rank = other.rank & 0xffffu;
        }
        const uint item = at.block * BLOCK + select_bit(at.survivors, rank - at.rank);
        result = vkp_add64(tile_first(at.tile), item);
      } else {
        result = uvec2(NONE);
      }
      known = true;
    }
    const uvec2 element = vkp_add64(first, e);
    const bool found = result != uvec2(NONE);
    const bool close = (b.pending_closes >> e & 1u) != 0u;
    if ((wants & VKP_STACK_WANTS_MATCH) != 0u && found) {
      const uvec2 out_at = vkp_add64(vkp_u64(push.match), vkp_mul64(element, 4u * index_words));
      if (index_words == 1u) {
        VkpWords(out_at).v[0] = result.x;
      } else {
        VkpWords2(out_at).v[0] = result;
      }
    }
    if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u && found && close) {
      const uvec2 out_at = vkp_add64(vkp_u64(push.close_of), vkp_mul64(result, 4u * index_words));
      if (index_words == 1u) {
        VkpWords(out_at).v[0] = element.x;
      } else {
        VkpWords2(out_at).v[0] = element;
      }
    }
    if (close) {
      level = vkp_sub64(level, uvec2(1u, 0u));
      known = false;
      if (nothing) result = uvec2(NONE);
    }
  }
}

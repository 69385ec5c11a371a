// Answers that lie before the tile. This is the last dispatch of nearest_smaller, with a workgroup
// per tile.
//
// The first pending item of a tile has the largest key of them: if the least key before the tile
// does not answer even that one, none of them has an answer. Otherwise the pending items are
// numbered, and an invocation looks for the answer of each: up the tree of least keys and down
// again, a node of 8 keys at a time, then among the keys of a block.
//
// Work: for each pending item at most 2 * log8(blocks) nodes and one block of 128 bytes, whatever
// the keys. No workgroup waits for another.
// %VARIANT% KEY word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/nearest_smaller/search.glsl"
#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/masks.glsl"

// These say for each block how many items are pending up to its end in the tile, and which of its
// own are.
shared uint block_ends[tile_blocks];
shared uint block_pending[tile_blocks];
shared uint group_counts[gl_WorkGroupSize.x / 4u];

// Numbers the pending items; returns how many there are.
uint number_pending(uint tile) {
  // gl_LocalInvocationIndex need not follow the order of lanes.
  const uint own = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  uint pending = 0u;
  if (own < tile_blocks) pending = VkpWords(pending_of(tile)).v[own];
  uint upto = vkp_sum_upto_lane(uint(bitCount(pending)));
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) group_counts[gl_SubgroupID] = upto;
  barrier();
  uint all = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i == gl_SubgroupID) upto += all;
    all += group_counts[i];
  }
  if (own < tile_blocks) {
    block_ends[own] = upto;
    block_pending[own] = pending;
  }
  barrier();
  return all;
}

// Returns the pending item of the tile that has a number.
uint pending_item(uint number) {
  uint block = 0u;
  [[dont_unroll]] for (uint width = tile_blocks / 2u; width > 0u; width /= 2u) {
    if (vkp_load_shared_word(block_ends[block + width - 1u]) <= number) block += width;
  }
  const uint pending = vkp_load_shared_word(block_pending[block]);
  const uint rank = number - (vkp_load_shared_word(block_ends[block]) - uint(bitCount(pending)));
  return block * BLOCK + vkp_select_bit(pending, rank);
}

void finish(const Sequence s, const uint tiles, const uint tile, const uint item,
            const VKP_KEY least) {
  const uvec2 element = further(element_of(s, vkp_mul64(tile, tile_items())), item);
#if VKP_KEY_WORDS == 1
  const VKP_KEY key = order_of(VkpWords(key_address(element)).v[0]);
#else
  const VKP_KEY key = order_of(VkpWords2(key_address(element)).v[0]);
#endif
  if (!answers(least, key)) return;
  const uvec2 found = element_of(s, item_of_key(s, tiles, tile, key));
  const uvec2 at = vkp_add64(vkp_u64(push.out_base), vkp_mul64(element, 4u * index_words));
  if (index_words == 1u) {
    VkpWords(at).v[0] = found.x;
  } else {
    VkpWords2(at).v[0] = found;
  }
}

void main() {
  const Sequence s = load_sequence();
  const uint tiles = tiles_of(s);
  const uint tile = vkp_group_index();
  if (tile >= tiles || tile == 0u) return;
  const uvec4 header = VkpWords4(record_of(tile)).v[0];
  if (header.z == 0u) return;
  const VKP_KEY least = least_before(tiles, tile);
  if (!answers(least, key_of_cell(header, 0u))) return;
  const uint all = number_pending(tile);
  // All invocations make as many turns.
  for (uint first = 0u; first < all; first += gl_WorkGroupSize.x) {
    const uint number = first + gl_LocalInvocationIndex;
    if (number < all) finish(s, tiles, tile, pending_item(number), least);
  }
}

// Schedule::multi_pass, second dispatch of a pass: a workgroup replaces the counts of each tile of
// a block by how many keys there are up to the end of the tile, as sweep.comp needs them. Each
// invocation has one digit.
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_KEY_word
#include "radix_sort.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint rows = 4;  // rows of the tiles of sweep.comp

void main() {
  const uint plan = VkpWords(plan_address()).v[push.pass];
  if ((plan & VKP_RADIX_PLAN_RUNS) == 0u) return;
  const uint tile_items = gl_WorkGroupSize.x * rows;
  const uint portion_items = push.portion_tiles * tile_items;
  const uvec2 first = vkp_mul64(push.portion, portion_items);
  const uint items = vkp_clamped_difference(vkp_read_count(push.count), first, portion_items);
  const uint tiles = (items + tile_items - 1u) / tile_items;
  const uint block = vkp_group_index();
  const uint d = gl_LocalInvocationIndex;
  if (block * VKP_RADIX_BLOCK_TILES >= tiles || d >= BINS) return;
  const uvec2 states = vkp_u64(push.states);
  VkpWords blocks = VkpWords(vkp_add64(states, vkp_mul64(push.portion_tiles, 4u * BINS)));
  uint sum = 0u;
  for (uint b = 0u; b < block; ++b) sum += blocks.v[b * BINS + d];
  const uint first_tile = block * VKP_RADIX_BLOCK_TILES;
  VkpWords counts = VkpWords(vkp_add64(states, vkp_mul64(first_tile, 4u * BINS)));
  for (uint t = 0u; t < min(tiles - first_tile, VKP_RADIX_BLOCK_TILES); ++t) {
    sum += counts.v[t * BINS + d];
    counts.v[t * BINS + d] = sum;
  }
}

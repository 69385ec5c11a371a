// Schedule::multi_pass, first dispatch of a pass: a workgroup counts the digits of its tile and
// adds the counts to those of a block of tiles.
#version 460
#extension GL_GOOGLE_include_directive : require
// %VARIANT% KEY word|pair
#include "radix_sort.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint rows = 4;  // rows of the tiles of sweep.comp

shared uint counts[BINS];

void main() {
  const uint plan = VkpWords(plan_address()).v[push.pass];
  if ((plan & VKP_RADIX_PLAN_RUNS) == 0u) return;
  const uint tile_items = gl_WorkGroupSize.x * rows;
  const uint portion_items = push.portion_tiles * tile_items;
  const uvec2 first = vkp_mul64(push.portion, portion_items);
  const uint items = vkp_clamped_difference(vkp_read_count(push.count), first, portion_items);
  const uint tile = vkp_group_index();
  if (tile >= (items + tile_items - 1u) / tile_items) return;
  const uvec2 item = vkp_add64(first, tile * tile_items);
  const uvec2 keys = vkp_add64(keys_at(plan & VKP_RADIX_PLAN_FROM), vkp_mul64(item, VKP_KEY_BYTES));
  const uint valid = min(items - tile * tile_items, tile_items);
  const uint d = gl_LocalInvocationIndex;
  if (d < BINS) counts[d] = 0u;
  barrier();
  const Digits digits = digits_of_pass(push.pass);
  for (uint r = 0u; r < rows; ++r) {
    const uint i = r * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (i < valid) atomicAdd(counts[digit_of(load_bits(keys, i), digits)], 1u);
  }
  barrier();
  if (d >= BINS) return;
  const uvec2 states = vkp_u64(push.states);
  VkpWords(vkp_add64(states, vkp_mul64(tile, 4u * BINS))).v[d] = counts[d];
  const uvec2 blocks = vkp_add64(states, vkp_mul64(push.portion_tiles, 4u * BINS));
  VkpSharedWords block =
      VkpSharedWords(vkp_add64(blocks, tile / VKP_RADIX_BLOCK_TILES * 4u * BINS));
  atomicAdd(block.v[d], counts[d], gl_ScopeQueueFamily, 0, 0);
}

// Partition into three in one dispatch for each portion, by decoupled look-back.
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/partition_three/partition_three.glsl"
#include "vkprims/device/lookback.glsl"

VkpSequence sequence;  // for vkp_fold_tile

uvec2 vkp_fold_tile(const uint tile) { return chosen(choose(sequence, tile)); }

uvec2 vkp_seed() { return uvec2(0u); }

void write_totals(Totals before, uvec2 numbers) {
  if (gl_LocalInvocationIndex == 0u) {
    portion_words(push.portion).v[1] = numbers.x;
    portion_words(push.portion).v[2] = numbers.y;
  }
  write_counts(add(before, numbers));
}

void main() {
  sequence = pushed_sequence();
  const VkpLookback lookback = VkpLookback(vkp_u64(push.tiles_base));
  const uint tiles = vkp_tiles(sequence);
  const Totals before = chosen_before(push.portion);
  if (tiles == 0u && vkp_group_index() == 0u) write_totals(before, uvec2(0u));
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const Choice choice = choose(sequence, tile);
  const uvec2 numbers = chosen(choice);
  uvec2 prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, numbers);
  do {
    vkp_walk_on(lookback, walk);
    stage_batch(batch_of(sequence, choice, tile, 0u));
  } while (!vkp_prefix_known(walk, prefix));
  if (tile == tiles - 1u) write_totals(before, prefix + numbers);
  place_tile(sequence, before, choice, tile, prefix, true);
}

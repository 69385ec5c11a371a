// Compaction in one dispatch for each portion, by decoupled look-back; the algorithm is in
// vkprims/device/compact.glsl.
// %VARIANT% ITEM words1|words2|words4
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/compact/compact.glsl"
#include "vkprims/device/lookback.glsl"

VkpSequence sequence;  // for vkp_fold_tile

uint vkp_fold_tile(const uint tile) { return vkp_selected(vkp_select(sequence, tile, 0u)); }

uint vkp_seed() { return 0u; }

void write_totals(uvec2 before, uint selected) {
  if (gl_LocalInvocationIndex == 0u) portion_words(push.portion).v[1] = selected;
  write_count(vkp_add64(before, selected));
}

void main() {
  sequence = pushed_sequence();
  const VkpLookback lookback = VkpLookback(vkp_u64(push.tiles_base));
  const uint tiles = vkp_tiles(sequence);
  const uvec2 before = selected_before(push.portion);
  if (tiles == 0u && vkp_group_index() == 0u) write_totals(before, 0u);
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const VkpSelection selection = vkp_select(sequence, tile, 0u);
  const uint selected = vkp_selected(selection);
  uint prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, selected);
  do {
    vkp_walk_on(lookback, walk);
    if (moves()) vkp_stage_tile(sequence, selection, tile);
  } while (!vkp_prefix_known(walk, prefix));
  if (tile == tiles - 1u) write_totals(before, prefix + selected);
  vkp_place_tile(sequence, pushed_places(before, uvec2(0u)), selection, tile, prefix, true);
}

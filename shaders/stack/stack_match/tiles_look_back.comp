// Bracket matching within tiles (tile.glsl), and where tiles lie, by decoupled look-back. This is
// the first dispatch of stack_match with StackSchedule::look_back.
//
// What a tile does to the level is known when its blocks have been scanned, and is published then;
// what it needs to know of the tiles before is asked for when all the rest is done. So most tiles
// find what they look for at once. A workgroup that finds a tile in the way reads the symbols of
// that tile, and counts.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/tile.glsl"
#include "stack/stack_match/spans.glsl"

// The states lie before everything else in scratch.
uvec2 states() {
  const uvec2 slots = vkp_mul64(push.max_tiles, VKP_LOOKBACK_SLOT_BYTES(VKP_WORDS));
  return vkp_sub64(vkp_u64(push.scratch), vkp_add64(slots, VKP_LOOKBACK_HEADER_BYTES));
}

Span vkp_fold_tile(const uint tile) {
  const Symbols s = load_symbols(tile, range_of(tile, item_count()));
  return span_of(vkp_fold_subgroups(vkp_subgroup_fold(run_of(s))));
}

void main() {
  const uvec2 items = item_count();
  const VkpLookback lookback = VkpLookback(states());
  const uint tile = vkp_take_tile(lookback, tiles_of(items));
  if (tile == VKP_NO_TILE) return;
  const Range range = range_of(tile, items);
  const Blocks blocks = walk_tile(tile, range);
  VkpWalk walk = vkp_look_back(lookback, tile, span_of(blocks.runs.total));
  const Effect effect = match_tile(tile, range, blocks);
  if (gl_LocalInvocationIndex == 0u) store_tile(tile, effect);
  barrier();  // lanes that have parted meet again here: the walk is for whole subgroups
  Span before;
  do {
    vkp_walk_on(lookback, walk);
  } while (!vkp_prefix_known(walk, before));
  if (gl_LocalInvocationIndex != 0u) return;
  store_place(tile, Place(before.level, level_plus(before.level, effect.floor), before.floor));
  store_key(tile, effect.resets ? NO_BOTTOM : level_plus(before.level, effect.lowest));
}

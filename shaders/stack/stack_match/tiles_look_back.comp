// Bracket matching within tiles (tile.glsl), and where tiles lie, by decoupled look-back. First dispatch of stack_match
// with StackSchedule::look_back.
//
// What a tile does to the level is known when its blocks have been scanned, and published then; what it needs to know of
// those before it is asked for when all the rest is done. So most tiles find what they look for at once. Who finds a tile
// in the way reads its symbols, and counts.
// %VARIANT% STATE word64|word32
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/tile.glsl"
#include "stack/stack_match/spans.glsl"

// Before what else there is in scratch.
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
  barrier();  // where lanes that have parted meet again: the walk is for whole subgroups
  Span before;
  do {
    vkp_walk_on(lookback, walk);
  } while (!vkp_prefix_known(walk, before));
  if (gl_LocalInvocationIndex != 0u) return;
  store_place(tile, Place(before.level, level_plus(before.level, effect.floor), before.floor));
  store_key(tile, effect.resets ? NO_BOTTOM : level_plus(before.level, effect.lowest));
}

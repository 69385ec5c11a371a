// Bracket matching within tiles (tile.glsl), and what tiles do to the stack. This is the first
// dispatch of stack_match.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/tile.glsl"

void main() {
  const uvec2 items = item_count();
  const uint tile = vkp_group_index();
  if (tile >= tiles_of(items)) return;
  const Range range = range_of(tile, items);
  const Blocks blocks = walk_tile(tile, range);
  const Effect effect = match_tile(tile, range, blocks);
  if (gl_LocalInvocationIndex == 0u) store_tile(tile, effect);
}

// Where the tiles lie between those that tree.comp has placed, and their keys. A dispatch of stack_match behind it, an
// invocation per tile.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack_match/stack_match.glsl"
#include "stack_match/floors.glsl"

void main() {
  const uint tiles = tiles_of(item_count());
  const uint tile = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  const uint first = tile / VKP_STACK_FAN_OUT * VKP_STACK_FAN_OUT;
  if (first >= tiles) return;
  uvec2 key = NO_LEVEL;
  if (tile < tiles) {
    // Of the place of the first only what is not written here.
    const uvec2 placed = vkp_add64(places(), vkp_mul64(first, VKP_STACK_PLACE_BYTES));
    const uvec2 level = VkpWords2(placed).v[0];
    const uvec2 floor = VkpWords2(placed).v[2];
    Run run = vkp_identity();
    [[unroll]] for (uint i = 0u; i < VKP_STACK_FAN_OUT - 1u; ++i) {
      if (first + i < tile) {
        const Effect e = load_effect(first + i);
        run = vkp_combine(run, Run(e.change, e.floor, e.resets));
      }
    }
    const Effect e = load_effect(tile);
    Place p;
    p.begin = add_signed(level, run.change);
    p.base = add_signed(p.begin, e.floor);
    p.floor = add_signed(level, run.floor);
    if (!run.resets) p.floor = vkp_min64(floor, p.floor);
    key = e.resets ? uvec2(0u) : add_signed(p.begin, e.lowest);
    if (tile != first) store_place(tile, p);
  }
  VkpWords2(vkp_add64(keys(), vkp_mul64(tile, 8u))).v[0] = key;
}

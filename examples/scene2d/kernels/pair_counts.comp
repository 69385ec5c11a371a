// Counts the tiles of each item.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i == 0u) f.pair_begins.v[0] = 0u;
  if (i >= f.results.v.items) return;
  const Item item = f.items.v[i];
  const uvec2 size = low_and_high(item.last_tile) - low_and_high(item.first_tile);
  f.pair_counts.v[i] = size.x * size.y;
  f.item_of_op.v[item.op] = i;
}

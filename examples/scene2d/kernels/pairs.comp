// Says which tile each pair of an item and a tile belongs to, and clears its backdrop.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  const uint pairs = f.results.v.pairs;
  if (i <= pairs) f.backdrops.v[i] = 0;  // one more, for what is behind the last row
  if (i >= pairs) return;
  const Item item = f.items.v[f.pair_items.v[i]];
  const uint rank = f.pair_ranks.v[i];
  const uvec2 first = low_and_high(item.first_tile);
  const uint across = low_and_high(item.last_tile).x - first.x;
  f.pair_tiles.v[i] = (first.y + rank / across) * f.tiles_across + first.x + rank % across;
  f.pair_numbers.v[i] = i;
}

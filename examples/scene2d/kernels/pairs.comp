// Says which tile each pair of an item and a tile belongs to, and clears the sums of its rows.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  const uint pairs = f.results.v.pairs;
  if (i == 0u) {
    f.results.v.left_rows = TILE_SIZE * pairs;
    f.left.v[TILE_SIZE * pairs] = 0;
  }
  // Neighbouring invocations clear neighbouring words.
  const uint first_row = TILE_SIZE * (i - gl_LocalInvocationIndex) + gl_LocalInvocationIndex;
  for (uint k = 0u; k < TILE_SIZE; ++k) {
    const uint row = first_row + k * gl_WorkGroupSize.x;
    if (row < TILE_SIZE * pairs) f.left.v[row] = 0;
  }
  if (i >= pairs) return;
  const Item item = f.items.v[f.pair_items.v[i]];
  const uint rank = f.pair_ranks.v[i];
  const uvec2 first = low_and_high(item.first_tile);
  const uint across = low_and_high(item.last_tile).x - first.x;
  f.pair_tiles.v[i] = (first.y + rank / across) * f.tiles_across + first.x + rank % across;
  f.pair_numbers.v[i] = i;
}

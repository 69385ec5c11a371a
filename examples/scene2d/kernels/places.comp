// Says where each pair is among those that are sorted by tile.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.results.v.pairs) return;
  f.places.v[f.sorted_pairs.v[i]] = i;
  f.cell_counts.v[i] = 0u;
}

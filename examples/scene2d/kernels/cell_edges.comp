// Puts the number of each edge into the cells that it crosses. Their order in a cell varies from
// run to run, but what they add up to is an integer.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.results.v.crossings) return;
  const uint cell = f.crossing_cells.v[i];
  if (cell == NOTHING) return;
  f.cell_edges.v[f.cell_begins.v[cell] + f.crossing_slots.v[i]] = f.crossing_edges.v[i];
}

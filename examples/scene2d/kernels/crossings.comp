// Treats each crossing of an edge and a tile: counts it in its cell, where it gets a number, and
// adds the height of the edge to the winding integral of all cells right of it.
//
// The latter are integers and are summed up by a scan over all pixel rows of all cells. Outlines
// are closed, so that their sum over a pixel row is 0, and one scan does for all rows: what is
// behind the last cell of a row is added at the first cell of the next one.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "tiles_of_edges.glsl"
#include "complete.glsl"

void add_height(Item item, uint pairs_before, ivec4 edge, Crossed c, int row, int column) {
  const uvec2 first = low_and_high(item.first_tile);
  const int across = int(low_and_high(item.last_tile).x - first.x);
  const int place = clamp(column + 1 - int(first.x), 0, across);
  const uint rows_before = TILE_SIZE * uint((row - int(first.y)) * across);
  const uint at = TILE_SIZE * pairs_before + rows_before + uint(place);
  const int sense = edge.y < edge.w ? 1 : -1;
  const int top = max(c.low.y, row << TILE_BITS), bottom = min(c.high.y, (row + 1) << TILE_BITS);
  // Pixel rows that the edge touches, counted in the row of tiles.
  const uint first_row = uint(top - (row << TILE_BITS)) / UNITS;
  const uint last_row = uint(bottom - 1 - (row << TILE_BITS)) / UNITS;
  for (uint k = first_row; k <= last_row; ++k) {
    const int upper = (row << TILE_BITS) + int(k) * UNITS;
    const int height = min(bottom, upper + UNITS) - max(top, upper);
    const uint word = at + k * uint(across);
    if (word <= TILE_SIZE * f.pair_room) atomicAdd(f.left.v[word], sense * height);
  }
}

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.results.v.crossings) return;
  const uint edge_index = f.crossing_edges.v[i];
  const uint rank = f.crossing_ranks.v[i];
  const ivec4 edge = f.edges.v[edge_index];
  const uint item_index = f.edge_items.v[edge_index];
  const Item item = f.items.v[item_index];
  f.crossing_cells.v[i] = NOTHING;
  if (!is_complete(item)) return;

  // Find the row: the last one that begins at this crossing or before.
  const Crossed c = crossed_by(edge, item);
  int row = c.first_row, end = c.last_row + 1;
  while (row + 1 < end) {
    const int middle = (row + end) / 2;
    if (crossings_before(c, middle) <= rank) row = middle; else end = middle;
  }
  const int enters_at = enters(c, row), leaves_at = leaves(c, row);
  const int steps = int(rank - crossings_before(c, row));
  const int column = enters_at + (leaves_at < enters_at ? -steps : steps);

  const uint pairs_before = f.pair_begins.v[item_index];
  if (column == max(enters_at, leaves_at)) add_height(item, pairs_before, edge, c, row, column);
  if (column == c.columns.x || column == c.columns.y) return;
  const uvec2 first = low_and_high(item.first_tile);
  const uint across = low_and_high(item.last_tile).x - first.x;
  const uint pair = pairs_before + uint(row - int(first.y)) * across + uint(column - int(first.x));
  if (pair >= f.results.v.pairs) return;
  const uint cell = f.places.v[pair];
  f.crossing_cells.v[i] = cell;
  f.crossing_slots.v[i] = atomicAdd(f.cell_counts.v[cell], 1u);
}

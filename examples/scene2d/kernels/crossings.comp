// Treats each crossing of an edge and a tile: counts it in its cell, where it gets a number. And an
// edge that comes into a row of tiles from above adds its sense to the backdrops of all cells right
// of it.
//
// Backdrops are summed up by one scan over all cells. So that a row of tiles adds nothing to what
// comes behind it, even if the edges of an outline did not meet, what is added in the row is
// subtracted behind it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "tiles_of_edges.glsl"
#include "complete.glsl"

void add_sense(Item item, uint pairs_before, int sense, int row, int column) {
  const uvec2 first = low_and_high(item.first_tile);
  const int across = int(low_and_high(item.last_tile).x - first.x);
  const int place = column + 1 - int(first.x);  // at least 0
  if (place >= across) return;
  const uint row_begin = pairs_before + uint((row - int(first.y)) * across);
  const uint at = row_begin + uint(place), behind = row_begin + uint(across);
  if (at < f.pair_room) atomicAdd(f.backdrops.v[at], sense);
  if (behind < f.pair_room) atomicAdd(f.backdrops.v[behind], -sense);
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
  const int enters_at = enters(c, row), steps = int(rank - crossings_before(c, row));
  const int column = enters_at + (leaves(c, row) < enters_at ? -steps : steps);

  const uint pairs_before = f.pair_begins.v[item_index];
  if (steps == 0 && c.line.low.y <= row << TILE_BITS) {
    add_sense(item, pairs_before, c.line.sense, row, column);
  }
  if (column == c.columns.x || column == c.columns.y) return;
  const uvec2 first = low_and_high(item.first_tile);
  const uint across = low_and_high(item.last_tile).x - first.x;
  const uint pair = pairs_before + uint(row - int(first.y)) * across + uint(column - int(first.x));
  if (pair >= f.results.v.pairs) return;
  const uint cell = f.places.v[pair];
  f.crossing_cells.v[i] = cell;
  f.crossing_slots.v[i] = atomicAdd(f.cell_counts.v[cell], 1u);
}

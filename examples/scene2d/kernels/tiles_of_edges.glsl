// This finds which tiles an edge crosses (PICTURE.md, "Edges"). All kernels share these rules, so
// that they agree on each crossing.
//
// Coordinates are integers of 1/4096 pixel, so a tile is 2^16 of them. An edge is looked at from
// top to bottom. In a row of tiles its crossings are the columns from where it enters the row to
// where it leaves it, and it enters the next row where it has left this one. So the number of
// crossings is that of rows plus that of columns between the first and the last one.

const int UNITS = 4096;    // in a pixel
const int TILE_BITS = 16;  // of units in a tile

// An edge from top to bottom: x, y of its ends, and in an item's rectangle of tiles.
struct Crossed {
  ivec2 low, high;         // ends with the least and the greatest y
  float slope;
  int first_row, last_row;  // none if last_row < first_row
  int first_column;         // where it enters the first row
  ivec2 columns;            // columns are clamped to these: one beyond the item on each side
};

// x at a height between both ends. It ascends or descends with y, and is exact at the ends.
int x_at(Crossed c, int y) {
  if (y == c.high.y) return c.high.x;
  const int x = c.low.x + int(round(float(y - c.low.y) * c.slope));
  return clamp(x, min(c.low.x, c.high.x), max(c.low.x, c.high.x));
}

int column_at(Crossed c, int y) {
  return clamp(x_at(c, clamp(y, c.low.y, c.high.y)) >> TILE_BITS, c.columns.x, c.columns.y);
}

int enters(Crossed c, int row) { return column_at(c, row << TILE_BITS); }
int leaves(Crossed c, int row) { return column_at(c, (row + 1) << TILE_BITS); }

Crossed crossed_by(ivec4 edge, Item item) {
  const ivec2 first = ivec2(low_and_high(item.first_tile));
  const ivec2 last = ivec2(low_and_high(item.last_tile)) - 1;
  Crossed c;
  const bool goes_down = edge.y < edge.w;
  c.low = goes_down ? edge.xy : edge.zw;
  c.high = goes_down ? edge.zw : edge.xy;
  c.slope = c.low.y == c.high.y ? 0.0 : float(c.high.x - c.low.x) / float(c.high.y - c.low.y);
  c.first_row = max(c.low.y >> TILE_BITS, first.y);
  c.last_row = c.low.y == c.high.y ? -1 : min((c.high.y - 1) >> TILE_BITS, last.y);
  c.columns = ivec2(first.x - 1, last.x + 1);
  c.first_column = enters(c, c.first_row);
  return c;
}

// The number of crossings in rows before this one.
uint crossings_before(Crossed c, int row) {
  return uint(row - c.first_row) + uint(abs(enters(c, row) - c.first_column));
}

uint crossings_of(Crossed c) {
  if (c.last_row < c.first_row) return 0u;
  return uint(c.last_row - c.first_row + 1) + uint(abs(leaves(c, c.last_row) - c.first_column));
}

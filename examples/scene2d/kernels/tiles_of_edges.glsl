// This finds which tiles an edge crosses (PICTURE.md, "Edges"). All kernels share these rules, so
// that they agree on each crossing.
//
// Coordinates are integers of 1/4096 pixel, so a tile is 2^16 of them. An edge is looked at from
// top to bottom. In a row of tiles its crossings are the columns from where it enters the row to
// where it leaves it, and it enters the next row where it has left this one. So the number of
// crossings is that of rows plus that of columns between the first and the last one.

const int UNITS = 4096;    // in a pixel
const int TILE_BITS = 16;  // of units in a tile

// An edge from top to bottom.
struct Line {
  ivec2 low, high;  // ends with the least and the greatest y
  int sense;        // 1 if it goes down, else -1
  float slope;      // 0 if it is horizontal
};

Line line_of(ivec4 edge) {
  const bool goes_down = edge.y < edge.w;
  Line line = Line(goes_down ? edge.xy : edge.zw, goes_down ? edge.zw : edge.xy,
                   goes_down ? 1 : -1, 0.0);
  const ivec2 d = line.high - line.low;
  if (d.y != 0) line.slope = float(d.x) / float(d.y);
  return line;
}

int x_inside(Line line, int y) {
  const int x = line.low.x + int(round(float(y - line.low.y) * line.slope));
  return clamp(x, min(line.low.x, line.high.x), max(line.low.x, line.high.x));
}

// x where the part of an edge that is below y begins, and where the part above y ends. They ascend
// or descend with y, and are exact at the ends.
int x_from(Line line, int y) { return y <= line.low.y ? line.low.x : x_inside(line, y); }
int x_to(Line line, int y) { return y >= line.high.y ? line.high.x : x_inside(line, y); }

// An edge in an item's rectangle of tiles.
struct Crossed {
  Line line;
  int first_row, last_row;  // none if last_row < first_row
  int first_column;         // where it enters the first row
  ivec2 columns;            // columns are clamped to these: one beyond the item on each side
};

int column_of(Crossed c, int x) { return clamp(x >> TILE_BITS, c.columns.x, c.columns.y); }
int enters(Crossed c, int row) { return column_of(c, x_from(c.line, row << TILE_BITS)); }
int leaves(Crossed c, int row) { return column_of(c, x_to(c.line, (row + 1) << TILE_BITS)); }

Crossed crossed_by(ivec4 edge, Item item) {
  const ivec2 first = ivec2(low_and_high(item.first_tile));
  const ivec2 last = ivec2(low_and_high(item.last_tile)) - 1;
  Crossed c;
  c.line = line_of(edge);
  const ivec2 low = c.line.low, high = c.line.high;
  c.first_row = max(low.y >> TILE_BITS, first.y);
  c.last_row = min((high.y - 1) >> TILE_BITS, last.y);  // what is on a border is above it
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

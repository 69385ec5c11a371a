// The winding integrals of the pixels of an invocation, which lie side by side.
//
// Those of a pixel row begin with the backdrop, the winding number at the upper left corner of the
// tile, which stands for all edges to the left of it. Edges in the tile are added whole, with their
// parts to the left of it. So an edge that comes from there is taken out of the backdrop below its
// upper end; and one that goes there has changed the winding number at the left side below its
// lower end. All are integers, in 1/65536 of a pixel, so that their order does not matter.
#include "tiles_of_edges.glsl"

// An edge in the tile's row of tiles. Lengths are pixels, and count from the tile's corner.
struct Piece {
  float x, slope;     // x where it begins, and what x grows by in a pixel row
  float top, bottom;  // multiples of 1/4096, so that they are exact
  int sense, comes, goes;  // -1 or 1; comes and goes are 1 if that end lies to the left of the tile
};

// The edges of a tile lie side by side, in the order of its entries; these are some of them.
shared Piece pieces[BATCH];
uint edges_end;     // of the tile, in cell_edges
uint pieces_begin, pieces_end = 0u;

Piece piece_of(ivec4 edge, ivec2 tile) {
  const Line line = line_of(edge);
  const ivec2 corner = tile << TILE_BITS;
  const int top = max(line.low.y, corner.y), bottom = min(line.high.y, corner.y + (1 << TILE_BITS));
  Piece piece;
  piece.x = (float(line.low.x - corner.x) + float(top - line.low.y) * line.slope) / float(UNITS);
  piece.slope = line.slope;
  piece.top = float(top - corner.y) / float(UNITS);
  piece.bottom = float(bottom - corner.y) / float(UNITS);
  piece.sense = line.sense;
  piece.comes = int(x_from(line, top) < corner.x);
  piece.goes = int(x_to(line, bottom) < corner.x);
  return piece;
}

// Loads edges from number `first` on. All invocations call this.
void load_pieces(uint first, ivec2 tile) {
  barrier();
  const uint own = first + gl_LocalInvocationIndex;
  if (own < edges_end) {
    pieces[gl_LocalInvocationIndex] = piece_of(f.edges.v[f.cell_edges.v[own]], tile);
  }
  barrier();
  pieces_begin = first;
  pieces_end = min(first + BATCH, edges_end);
}

int in_units(float height) { return int(height * 65536.0); }  // exact for multiples of 1/4096

void add_piece(Piece piece, float row, float column, inout int winding[SIDE_BY_SIDE]) {
  // How much of the row is below the piece's ends.
  const float below_top = clamp(row + 1.0 - piece.top, 0.0, 1.0);
  const float below_bottom = clamp(row + 1.0 - piece.bottom, 0.0, 1.0);
  const int beside =
      piece.goes * in_units(below_bottom) - piece.comes * in_units(below_top);
  const float height = below_top - below_bottom;
  const float xa = piece.x + (max(piece.top, row) - piece.top) * piece.slope - column;
  const float xb = xa + height * piece.slope;
  const float first = min(xa, xb), last = max(xa, xb), width = last - first;
  const float scale = width > 1e-4 ? height * 65536.0 / width : 0.0;
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) {
    // The mean of clamp(1 - x, 0, 1) for x between both: how much of a pixel is right of the piece.
    const float low = first - float(k), high = last - float(k);
    const float a = clamp(low, 0.0, 1.0), b = clamp(high, 0.0, 1.0);
    const float area = width > 1e-4
        ? (min(high, 0.0) - min(low, 0.0) + (b - a) * (1.0 - 0.5 * (a + b))) * scale
        : clamp(1.0 - 0.5 * (low + high), 0.0, 1.0) * height * 65536.0;
    winding[k] += piece.sense * (int(round(area)) + beside);
  }
}

// All invocations call this. The first pixel is at x = column.
int[SIDE_BY_SIDE] wind(Entry entry, ivec2 tile, uint row, uint column) {
  int winding[SIDE_BY_SIDE];
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) winding[k] = entry.backdrop * 65536;
  const uint end = entry.edges_begin + entry.edges;
  for (uint i = entry.edges_begin; i < end; ++i) {
    if (i < pieces_begin || i >= pieces_end) load_pieces(i, tile);
    add_piece(pieces[i - pieces_begin], float(row), float(column), winding);
  }
  return winding;
}

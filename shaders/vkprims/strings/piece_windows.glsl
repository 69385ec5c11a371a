// Which units of a tile of pieces (rope.glsl) go into a window, and which bytes they have.
#ifndef STRINGS_PIECE_WINDOWS_GLSL
#define STRINGS_PIECE_WINDOWS_GLSL

// Returns the first byte of the tile that belongs to unit `unit`, or the end of the tile if there
// is no such unit.
uint byte_of_unit(const uint unit) {
  if (unit >= piece_units[TILE_PIECES] / 16u) return piece_starts[TILE_PIECES];
  uint number[UNITS_AT_ONCE], p[UNITS_AT_ONCE];
  bool is_last[UNITS_AT_ONCE];
  [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) number[j] = unit;
  find_pieces(number, p, is_last);
  const Unit x = unit_of(unit, p[0], is_last[0], 0u);
  return uint(x.place) + first_taken(x);
}

// Units from `unit` on go into the window whose byte `lead`, below 4, is byte `begin` of the tile:
// as many as an invocation can take at once, or as there is room for. Returns the unit behind them;
// `end` becomes the first byte of that unit.
uint end_of_window(uint unit, uint begin, uint lead, out uint end) {
  const uint units = piece_units[TILE_PIECES] / 16u;
  uint next = unit + UNITS_OF_ROUND;
  end = byte_of_unit(next);
  if (lead + end - begin > STAGE_BYTES - 4u) {
    next = unit + STAGE_BYTES / 16u - 1u;
    end = byte_of_unit(next);
  }
  return min(next, units);
}

// Returns how many of the `bytes` bytes of a window are stored: whole words only, unless the bytes
// are the last of the tile.
uint end_of_words(uint bytes, bool is_last) { return is_last ? bytes : bytes & ~3u; }

#endif

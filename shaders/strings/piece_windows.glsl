// Which bytes of a tile of pieces (rope.glsl) go to a window, and which units have them.
#ifndef STRINGS_PIECE_WINDOWS_GLSL
#define STRINGS_PIECE_WINDOWS_GLSL

// The piece that has byte `byte` of the tile, or the last one before it that has any. (A search.)
uint piece_at(uint byte) {
  uint p = 0u;
  for (uint step = TILE_PIECES / 2u; step != 0u; step /= 2u) {
    if (piece_starts[p + step] <= byte) p += step;
  }
  return p;
}

// The first byte of the tile that unit `unit` of a piece may have.
uint byte_of_unit(uint unit) {
  const uint p = piece_of_unit(unit);
  const uint start = piece_starts[p];
  const uint k = unit - unit_starts[p];
  return k == 0u ? start : start + 16u * k - (piece_low[p] & 15u);
}

// Puts together bytes begin, begin + 1, … of the tile, the first of them in byte `lead` of the window, which is below 4;
// windows come in order. Returns the end: that of the tile or of a word of the window, where the units of one round end, if
// there are some bytes till then. `unit`: the first that has bytes of the window; it becomes the first that may have bytes
// of the next.
uint stage_window(uint begin, uint lead, uint bytes, inout uint unit) {
  uint room = min(bytes - begin, STAGE_BYTES - lead);
  const uint next = unit + UNITS_OF_ROUND;
  if (next < unit_starts[TILE_PIECES]) {
    const uint till = byte_of_unit(next) - begin + lead & ~3u;
    if (till > STAGE_BYTES / 4u) room = min(room, till - lead);
  }
  const uint end = begin + room;
  const uint p = piece_at(end - 1u);
  const uint units = unit_starts[p] + units_of(piece_low[p], end - piece_starts[p]);
  stage_units(begin - lead, unit, units);
  unit = units - 1u;
  return end;
}

#endif

// Which units of a tile of pieces (rope.glsl) go into a window, and which bytes they have.
#ifndef VKPRIMS_STRINGS_PIECE_WINDOWS_GLSL
#define VKPRIMS_STRINGS_PIECE_WINDOWS_GLSL

// Returns the first byte of the tile that belongs to unit `unit`, or the end of the tile if there
// is no such unit.
uint vkp_byte_of_unit(const uint unit) {
  if (unit >= vkp_piece_units[VKP_TILE_PIECES] / 16u) return vkp_piece_starts[VKP_TILE_PIECES];
  uint number[VKP_UNITS_AT_ONCE], p[VKP_UNITS_AT_ONCE];
  bool is_last[VKP_UNITS_AT_ONCE];
  [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) number[j] = unit;
  vkp_find_pieces(number, p, is_last);
  const VkpPieceUnit x = vkp_unit_of_piece(unit, p[0], is_last[0], 0u);
  return uint(x.place) + vkp_first_taken(x);
}

// Units from `unit` on go into the window whose byte `lead`, below 4, is byte `begin` of the tile:
// as many as an invocation can take at once, or as there is room for. Returns the unit behind them;
// `end` becomes the first byte of that unit.
uint vkp_end_of_window(uint unit, uint begin, uint lead, out uint end) {
  const uint units = vkp_piece_units[VKP_TILE_PIECES] / 16u;
  uint next = unit + VKP_UNITS_OF_ROUND;
  end = vkp_byte_of_unit(next);
  if (lead + end - begin > VKP_WINDOW_BYTES - 4u) {
    next = unit + VKP_WINDOW_BYTES / 16u - 1u;
    end = vkp_byte_of_unit(next);
  }
  return min(next, units);
}

// Returns how many of the `bytes` bytes of a window are stored: whole words only, unless the bytes
// are the last of the tile.
uint vkp_end_of_words(uint bytes, bool is_last) { return is_last ? bytes : bytes & ~3u; }

#endif

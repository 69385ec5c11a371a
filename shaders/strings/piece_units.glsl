// Units of the pieces of a rope (rope.glsl) on their way into a window: an invocation looks up the pieces of
// UNITS_AT_ONCE units and asks for all their bytes before it uses any, as memory answers late. (H200: 2 are slower by up to
// 9 %, 4 by up to 30 %. Units of 48 bytes take a third of the look-ups, but were slower by up to 10 %: a load of neighbours
// has less of a line then.)
#ifndef STRINGS_PIECE_UNITS_GLSL
#define STRINGS_PIECE_UNITS_GLSL

// A unit of a piece.
struct Unit {
  uvec2 at;          // address
  uint begin, end;   // which of its bytes the piece has
  int place;         // where in the window byte 0 would go
};

// Unit `number` of the tile, of piece `p`, which is its last one or not.
Unit unit_of(uint number, uint p, bool is_last, uint window) {
  const uint low = piece_low[p];
  const uint ahead = low & 15u;
  const uint units = piece_units[p];
  const uint bytes = 16u * number - (units & ~15u);  // of the units of the piece that come before
  Unit x;
  if (HIGH_IS_KNOWN) {
    x.at = whole_address(low - ahead + 16u * number, p);
  } else {
    x.at = vkp_add64(whole_address(low - ahead, p), 16u * number);
  }
  x.begin = bytes == 0u ? ahead : 0u;
  x.end = is_last ? (units & 15u) + 1u : 16u;
  x.place = int(piece_starts[p] + bytes - ahead - window);
  return x;
}

// Words of a unit that have bytes begin … end - 1.
uvec4 load_words(Unit unit) {
  uvec4 x = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    if (4u * i + 4u > unit.begin && 4u * i < unit.end) x[i] = VkpWords(unit.at).v[i];
  }
  return x;
}

// Adds the bytes of a unit to the window.
void stage_unit(Unit unit, uvec4 x) {
  x = vkp_only_bytes(x, unit.begin, unit.end);
  const int word = word_of_byte(unit.place);
  const uint up = 8u * (uint(unit.place) & 3u);
  stage_beside(word, x.x << up);
  [[unroll]] for (int i = 1; i < 4; ++i) stage_beside(word + i, vkp_word_up(x[i - 1], x[i], up));
  stage_beside(word + 4, vkp_word_up(x.w, 0u, up));
}

// Stages units first … end - 1, of which there are some but no more than UNITS_OF_ROUND, in a window that others may still be
// reading and whose first word is `left` so far. (Loads are all without branches: lanes without a unit read the last one.)
void stage_units(uint window, uint first, uint end, uint left) {
  uint number[UNITS_AT_ONCE], p[UNITS_AT_ONCE];
  bool is_last[UNITS_AT_ONCE];
  Unit unit[UNITS_AT_ONCE];
  uvec4 x[UNITS_AT_ONCE];
  [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) number[j] = min(first + j * gl_WorkGroupSize.x + own(), end - 1u);
  find_pieces(number, p, is_last);
  [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) unit[j] = unit_of(number[j], p[j], is_last[j], window);
  if (is_careful) {
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) x[j] = load_words(unit[j]);
  } else {
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) x[j] = VkpWords4(unit[j].at).v[0];
  }
  barrier();  // while the loads are on their way
  clear_stage(left);
  barrier();
  [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
    if (first + j * gl_WorkGroupSize.x + own() < end) stage_unit(unit[j], x[j]);
  }
  barrier();
}

#endif

// Moves units of the pieces of a rope (rope.glsl) into a window. An invocation looks up the pieces
// of UNITS_AT_ONCE units and loads all their bytes before it uses any, as memory latency is long.
// (H200: 2 units are slower by up to 9 %, 4 by up to 30 %. Units of 48 bytes take a third of the
// look-ups, but were slower by up to 10 %: a load of neighbouring lanes then has less of a cache
// line.)
#ifndef STRINGS_PIECE_UNITS_GLSL
#define STRINGS_PIECE_UNITS_GLSL

// A unit of a piece.
struct Unit {
  uvec2 at;         // address
  uint begin, end;  // which of its bytes belong to the piece
  int place;        // where in the window the first byte of what is taken() of it would go
  uint ahead;       // bytes that come before the piece in the first unit of the piece
};

// Describes unit `number` of the tile, which belongs to piece `p` and may be the last one of it.
Unit unit_of(const uint number, const uint p, const bool is_last, const uint window) {
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
  x.ahead = ahead;
  if (EVERY_SECOND) x.place = int(piece_starts[p] + bytes / 2u - ahead / 2u - window);
  return x;
}

// Which bytes of what is taken() of a unit belong to the result.
uint first_taken(Unit unit) { return EVERY_SECOND ? unit.begin / 2u : unit.begin; }
uint end_taken(Unit unit) { return EVERY_SECOND ? (unit.end + 1u - (unit.ahead & 1u)) / 2u : unit.end; }

// Returns every second byte of two words, beginning with the first or the second.
uint second_bytes(uint low, uint high, uint first) {
  low = low >> 8u * first & 0xff00ffu;
  high = high >> 8u * first & 0xff00ffu;
  return (low | low >> 8) & 0xffffu | (high | high >> 8) << 16;
}

// Where a unit is read. The complements of neighbouring addresses are neighbours, too.
uvec2 read_address(Unit unit) { return BACKWARD ? uvec2(~unit.at.x & ~15u, ~unit.at.y) : unit.at; }

// Selects from the bytes that are read those that belong to the result, in its order.
uvec4 taken(Unit unit, uvec4 x) {
  if (BACKWARD) x = uvec4(vkp_reversed_bytes(x.w), vkp_reversed_bytes(x.z), vkp_reversed_bytes(x.y), vkp_reversed_bytes(x.x));
  if (EVERY_SECOND) x = uvec4(second_bytes(x.x, x.y, unit.ahead & 1u), second_bytes(x.z, x.w, unit.ahead & 1u), 0u, 0u);
  return x;
}

// Loads the words of a unit that have bytes of its piece.
uvec4 load_words(Unit unit) {
  uvec4 x = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const uint word = BACKWARD ? 3u - i : i;
    if (4u * word + 4u > unit.begin && 4u * word < unit.end) x[i] = VkpWords(read_address(unit)).v[i];
  }
  return x;
}

// Adds the bytes of a unit to the window.
void stage_unit(Unit unit, uvec4 x) {
  x = vkp_only_bytes(x, first_taken(unit), end_taken(unit));
  const int word = word_of_byte(unit.place);
  const uint up = 8u * (uint(unit.place) & 3u);
  stage_beside(word, x.x << up);
  [[unroll]] for (int i = 1; i < 4; ++i) stage_beside(word + i, vkp_word_up(x[i - 1], x[i], up));
  stage_beside(word + 4, vkp_word_up(x.w, 0u, up));
}

// Stages units first … end - 1, at least 1 and at most UNITS_OF_ROUND, in a window that others may
// still be reading and whose first word is `left` so far. All loads are without branches: lanes
// without a unit read the last one.
void stage_units(const uint window, const uint first, const uint end, const uint left) {
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
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) x[j] = VkpWords4(read_address(unit[j])).v[0];
  }
#ifdef SEES_BYTES
  [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) see_bytes(x[j]);
#endif
  barrier();  // while the loads are on their way
  clear_stage(left);
  barrier();
  [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
    if (first + j * gl_WorkGroupSize.x + own() < end) stage_unit(unit[j], taken(unit[j], x[j]));
  }
  barrier();
}

#endif

// Moves units of the pieces of a rope (rope.glsl) into a window. An invocation looks up the pieces
// of VKP_UNITS_AT_ONCE units and loads all their bytes before it uses any, as memory latency is
// long. (H200: 2 units are slower by up to 9 %, 4 by up to 30 %. Units of 48 bytes take a third of
// the look-ups, but were slower by up to 10 %: a load of neighbouring lanes then has less of a
// cache line.)
#ifndef VKPRIMS_STRINGS_PIECE_UNITS_GLSL
#define VKPRIMS_STRINGS_PIECE_UNITS_GLSL

#ifdef VKP_SEES_BYTES
void vkp_see_bytes(uvec4 x);
#endif

// A unit of a piece.
struct VkpPieceUnit {
  uvec2 at;         // address
  uint begin, end;  // which of its bytes belong to the piece
  int place;        // where in the window the first byte of what vkp_taken() returns of it would go
  uint ahead;       // bytes that come before the piece in the first unit of the piece
};

// Describes unit `number` of the tile, which belongs to piece `p` and may be the last one of it.
VkpPieceUnit vkp_unit_of_piece(const uint number, const uint p, const bool is_last,
                               const uint window) {
  const uint low = vkp_piece_low[p];
  const uint ahead = low & 15u;
  const uint units = vkp_piece_units[p];
  const uint bytes = 16u * number - (units & ~15u);  // of the units of the piece that come before
  VkpPieceUnit x;
  if (VKP_HIGH_IS_KNOWN) {
    x.at = vkp_whole_address(low - ahead + 16u * number, p);
  } else {
    x.at = vkp_add64(vkp_whole_address(low - ahead, p), 16u * number);
  }
  x.begin = bytes == 0u ? ahead : 0u;
  x.end = is_last ? (units & 15u) + 1u : 16u;
  x.place = int(vkp_piece_starts[p] + bytes - ahead - window);
  x.ahead = ahead;
  if (VKP_EVERY_SECOND) x.place = int(vkp_piece_starts[p] + bytes / 2u - ahead / 2u - window);
  return x;
}

// Returns which bytes of what vkp_taken() returns of a unit belong to the result.
uint vkp_first_taken(VkpPieceUnit unit) { return VKP_EVERY_SECOND ? unit.begin / 2u : unit.begin; }
uint vkp_end_taken(VkpPieceUnit unit) {
  return VKP_EVERY_SECOND ? (unit.end + 1u - (unit.ahead & 1u)) / 2u : unit.end;
}

// Returns every second byte of two words, beginning with the first or the second.
uint vkp_second_bytes(uint low, uint high, uint first) {
  low = low >> 8u * first & 0xff00ffu;
  high = high >> 8u * first & 0xff00ffu;
  return (low | low >> 8) & 0xffffu | (high | high >> 8) << 16;
}

// Where a unit is read. The complements of neighbouring addresses are neighbours, too.
uvec2 vkp_read_address(VkpPieceUnit unit) {
  return VKP_BACKWARD ? uvec2(~unit.at.x & ~15u, ~unit.at.y) : unit.at;
}

// Selects from the bytes that are read those that belong to the result, in its order.
uvec4 vkp_taken(VkpPieceUnit unit, uvec4 x) {
  if (VKP_BACKWARD) {
    x = uvec4(vkp_reversed_bytes(x.w), vkp_reversed_bytes(x.z), vkp_reversed_bytes(x.y),
              vkp_reversed_bytes(x.x));
  }
  if (VKP_EVERY_SECOND) {
    x = uvec4(vkp_second_bytes(x.x, x.y, unit.ahead & 1u),
              vkp_second_bytes(x.z, x.w, unit.ahead & 1u), 0u, 0u);
  }
  return x;
}

// Loads the words of a unit that have bytes of its piece.
uvec4 vkp_load_words(VkpPieceUnit unit) {
  uvec4 x = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const uint word = VKP_BACKWARD ? 3u - i : i;
    if (4u * word + 4u > unit.begin && 4u * word < unit.end) {
      x[i] = VkpWords(vkp_read_address(unit)).v[i];
    }
  }
  return x;
}

// Adds the bytes of a unit to the window.
void vkp_stage_unit(VkpPieceUnit unit, uvec4 x) {
  x = vkp_only_bytes(x, vkp_first_taken(unit), vkp_end_taken(unit));
  const int word = vkp_word_of_byte(unit.place);
  const uint up = 8u * (uint(unit.place) & 3u);
  vkp_stage_beside_window(word, x.x << up);
  [[unroll]] for (int i = 1; i < 4; ++i) {
    vkp_stage_beside_window(word + i, vkp_word_up(x[i - 1], x[i], up));
  }
  vkp_stage_beside_window(word + 4, vkp_word_up(x.w, 0u, up));
}

// Stages units first … end - 1, at least 1 and at most VKP_UNITS_OF_ROUND, in a window that others
// may still be reading and whose first word is `left` so far. All loads are without branches: lanes
// without a unit read the last one.
void vkp_stage_units(const uint window, const uint first, const uint end, const uint left) {
  uint number[VKP_UNITS_AT_ONCE], p[VKP_UNITS_AT_ONCE];
  bool is_last[VKP_UNITS_AT_ONCE];
  VkpPieceUnit unit[VKP_UNITS_AT_ONCE];
  uvec4 x[VKP_UNITS_AT_ONCE];
  [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) {
    number[j] = min(first + j * gl_WorkGroupSize.x + vkp_lane_of_tile(), end - 1u);
  }
  vkp_find_pieces(number, p, is_last);
  [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) {
    unit[j] = vkp_unit_of_piece(number[j], p[j], is_last[j], window);
  }
  if (vkp_is_careful) {
    [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) x[j] = vkp_load_words(unit[j]);
  } else {
    [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) {
      x[j] = VkpWords4(vkp_read_address(unit[j])).v[0];
    }
  }
#ifdef VKP_SEES_BYTES
  [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) vkp_see_bytes(x[j]);
#endif
  barrier();  // while the loads are on their way
  vkp_clear_window(left);
  barrier();
  [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) {
    if (first + j * gl_WorkGroupSize.x + vkp_lane_of_tile() < end) {
      vkp_stage_unit(unit[j], vkp_taken(unit[j], x[j]));
    }
  }
  barrier();
}

#endif

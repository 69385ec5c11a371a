// Units of the pieces of a rope (rope.glsl) on their way into a window.
#ifndef STRINGS_PIECE_UNITS_GLSL
#define STRINGS_PIECE_UNITS_GLSL

// Bytes of a piece as they lie in memory, in vectors of which each has one.
struct Unit {
  uvec2 at;         // address of the first vector
  uint begin, end;  // which bytes from there on the piece has; none, if both are 0
  int place;        // where in the tile's output byte 0 would go
};

// Unit number `number` of the tile.
Unit unit_of_tile(uint number) {
  uint p = 0u;  // its piece
  [[unroll]] for (uint step = TILE_PIECES / 2u; step != 0u; step /= 2u) {
    if (unit_starts[p + step] <= number) p += step;
  }
  const uint first = UNIT_BYTES * (number - unit_starts[p]);
  const uint start = start_of(p);
  const uint bytes = start_of(p + 1u) - start;
  const uvec2 at = address_of(p);
  const uint ahead = at.x & 15u;
  Unit x;
  x.at = vkp_add64(uvec2(at.x - ahead, at.y), first);
  x.begin = first == 0u ? ahead : 0u;
  x.end = min(ahead + bytes - first, UNIT_BYTES);
  x.place = int(start - ahead + first);
  return x;
}

// Whether a unit may have bytes that are not: only the first and the last vector of a column's bytes do. (By the lower
// half of the address: who is taken for one of these takes longer.)
bool is_edge(VkpStrings column, uvec2 at) {
  const uint first = vkp_u64(column.chars).x;
  const uint last = first + vkp_u64(column.bytes).x - 1u;
  return at.x == (first & ~15u) || (last & ~15u) - at.x < UNIT_BYTES;
}

// The vectors of a unit, 0 where it has no bytes. Without branches around them the loads are on their way together.
void load_unit(Unit unit, out uvec4 x[UNIT_VECTORS]) {
#ifdef PIECES_ELSEWHERE
  const bool by_words = true;
#else
  const bool by_words = is_edge(push.a, unit.at) || is_edge(push.b, unit.at);
#endif
  const uint end = by_words ? 0u : unit.end;
  [[unroll]] for (uint j = 0u; j < UNIT_VECTORS; ++j) {
    x[j] = uvec4(0u);
    if (16u * j < end) x[j] = VkpWords4(unit.at).v[j];
  }
  if (by_words) {
    [[unroll]] for (uint i = 0u; i < 4u * UNIT_VECTORS; ++i) {
      if (4u * i + 4u > unit.begin && 4u * i < unit.end) x[i / 4u][i % 4u] = VkpWords(unit.at).v[i];
    }
  }
}

// Adds the bytes of a unit to the window, byte 0 at `place`.
void stage_unit(Unit unit, int place, uvec4 x[UNIT_VECTORS]) {
  const int word = place >> 2;
  const uint up = 8u * (uint(place) & 3u);
  uint before = 0u;
  int i = 0;
  [[unroll]] for (uint j = 0u; j < UNIT_VECTORS; ++j) {
    if (16u * j < unit.end) {
      uvec4 v = x[j] & first_bytes[min(unit.end - 16u * j, 16u)];
      if (j == 0u) v &= ~first_bytes[unit.begin];
      [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        stage_beside(word + int(4u * j + k), vkp_word_up(before, v[k], up));
        before = v[k];
      }
      i += 4;
    }
  }
  stage_beside(word + i, vkp_word_up(before, 0u, up));
}

#endif

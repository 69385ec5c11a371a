// Units of the pieces of a rope (rope.glsl) on their way into a window: an invocation looks up the pieces of
// UNITS_AT_ONCE units and asks for all their bytes before it uses any, as memory answers late. (H200: 2 are slower by up to
// 9 %, 4 by up to 30 %. Units of 48 bytes take a third of the look-ups, but were slower by up to 10 %: a load of neighbours
// has less of a line then.)
#ifndef STRINGS_PIECE_UNITS_GLSL
#define STRINGS_PIECE_UNITS_GLSL

#define UNITS_AT_ONCE 3
const uint UNITS_OF_ROUND = UNITS_AT_ONCE * gl_WorkGroupSize.x;

// A unit of a piece.
struct Unit {
  uvec2 at;          // address
  uint begin, end;   // which of its bytes the piece has
  int place;         // where in the window byte 0 would go
};

// Unit number `k` of piece `p`.
Unit unit_of(uint p, uint k, uint window) {
  const uint start = start_of(p);
  const uint bytes = start_of(p + 1u) - start;
  const uvec2 at = address_of(p);
  const uint ahead = at.x & 15u;
  Unit x;
  x.at = vkp_add64(uvec2(at.x - ahead, at.y), 16u * k);
  x.begin = k == 0u ? ahead : 0u;
  x.end = min(ahead + bytes - 16u * k, 16u);
  x.place = int(start - ahead + 16u * k - window);
  return x;
}

// The first and the last unit of a column's bytes may have bytes that are not. (By the lower half of the address: who is
// taken for one of these takes longer. By bits, lest there are branches.)
uint is_edge(VkpStrings column, uvec2 at) {
  const uint first = vkp_u64(column.chars).x;
  const uint last = first + vkp_u64(column.bytes).x - 1u;
  return uint(at.x == (first & ~15u)) | uint(at.x == (last & ~15u));
}

bool is_edge(uvec2 at) {
#ifdef PIECES_OF_A
  return is_edge(push.a, at) != 0u;
#else
  return (is_edge(push.a, at) | is_edge(push.b, at)) != 0u;
#endif
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

// Stages units first … end - 1, of which there are some, in a window that others may still be reading. The loads of a round
// are all without branches, for which lanes without a unit, or with one that may not be read as a whole, read the arguments
// instead.
void stage_units(uint window, uint first, uint end) {
  const uint rounds = (end - first + UNITS_OF_ROUND - 1u) / UNITS_OF_ROUND;
  for (uint round = 0u; round < rounds; ++round) {
    uint number[UNITS_AT_ONCE], p[UNITS_AT_ONCE];
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
      number[j] = first + (round * UNITS_AT_ONCE + j) * gl_WorkGroupSize.x + own();
      p[j] = 0u;
    }
    if (is_indexed) {
      [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
        p[j] = indexed_piece(min(number[j], end - 1u));
      }
    } else {
      [[unroll]] for (uint step = TILE_PIECES / 2u; step != 0u; step /= 2u) {
        [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
          if (unit_starts[p[j] + step] <= number[j]) p[j] += step;
        }
      }
    }
    Unit unit[UNITS_AT_ONCE];
    uvec4 x[UNITS_AT_ONCE];
    bool there[UNITS_AT_ONCE], edge[UNITS_AT_ONCE];
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
      unit[j] = unit_of(p[j], number[j] - unit_starts[p[j]], window);
      there[j] = number[j] < end && unit[j].begin < unit[j].end;
      edge[j] = is_edge(unit[j].at);
    }
#ifdef PIECES_ELSEWHERE
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
      x[j] = uvec4(0u);
      if (there[j]) x[j] = load_words(unit[j]);
    }
#else
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
      x[j] = VkpWords4(edge[j] || !there[j] ? vkp_u64(push.scratch) : unit[j].at).v[0];
    }
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
      if (edge[j] && there[j]) x[j] = load_words(unit[j]);
    }
#endif
    if (round == 0u) {  // while the loads are on their way
      barrier();
      clear_stage();
      barrier();
    }
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
      if (there[j]) stage_unit(unit[j], x[j]);
    }
  }
  barrier();
}

#endif

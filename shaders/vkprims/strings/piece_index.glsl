// Finds which piece of a rope (rope.glsl) a unit belongs to.
//
// For each word of 32 units the index has the piece to which the first of them belongs, and a bit
// for each unit that is the last of its piece. The piece of a unit is then that piece plus the
// number of bits before the unit. In tiles that have more units than there is room for, the piece
// is searched for.
#ifndef STRINGS_PIECE_INDEX_GLSL
#define STRINGS_PIECE_INDEX_GLSL

const uint INDEX_WORDS = gl_WorkGroupSize.x * 5u / 4u;  // for rows of 128 bytes on average
shared uint index_pieces[INDEX_WORDS];
shared uint index_ends[INDEX_WORDS];

// Called by the whole workgroup, which has to wait behind.
void clear_index() {
  index_ends[own()] = 0u;
  index_ends[INDEX_WORDS - 1u - own()] = 0u;
}

bool has_index(uint units) { return units < 32u * (INDEX_WORDS - 1u); }

// Enters the pieces of this invocation, which have so many units; the first of them is `first`. The
// bits of two words are set at once, as an atomic takes several instructions; to set a bit again
// does no harm.
void index_units(uint first, uint units[PIECES_EACH]) {
  uint begins[PIECES_EACH];
  uint end = first;
  const uint word = first + units[0] - 1u >> 5u;
  uvec2 ends = uvec2(0u);
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    begins[e] = end;
    end += units[e];
    const uint last = end - 1u;
    const uint bit = 1u << (last & 31u);
    const uint ahead = (last >> 5u) - word;
    if (ahead == 0u) ends.x |= bit;
    if (ahead == 1u) ends.y |= bit;
    if (ahead > 1u) atomicOr(index_ends[last >> 5u], bit, gl_ScopeWorkgroup, 0, 0);
  }
  atomicOr(index_ends[word], ends.x, gl_ScopeWorkgroup, 0, 0);
  atomicOr(index_ends[word + 1u], ends.y, gl_ScopeWorkgroup, 0, 0);
  for (uint i = (first + 31u) / 32u; 32u * i < end; ++i) {
    uint p = own() * PIECES_EACH;
    [[unroll]] for (uint e = 1u; e < PIECES_EACH; ++e) p += uint(begins[e] <= 32u * i);
    atomicStore(index_pieces[i], p, gl_ScopeWorkgroup, 0, 0);
  }
}

// Finds the pieces of some units of a tile, and whether these units are the last ones of their
// pieces.
void find_pieces(uint unit[UNITS_AT_ONCE], out uint p[UNITS_AT_ONCE], out bool is_last[UNITS_AT_ONCE]) {
  if (is_indexed) {
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
      const uint bit = 1u << (unit[j] & 31u);
      const uint ends = index_ends[unit[j] >> 5u];
      p[j] = index_pieces[unit[j] >> 5u] + bitCount(ends & bit - 1u);
      is_last[j] = (ends & bit) != 0u;
    }
  } else {
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) p[j] = 0u;
    // TILE_PIECES need not be a power of two.
    [[unroll]] for (uint step = VKP_STRINGS_PIECES / 2u * gl_WorkGroupSize.x; step != 0u; step /= 2u) {
      [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) {
        if (piece_units[min(p[j] + step, TILE_PIECES)] / 16u <= unit[j]) p[j] += step;
      }
    }
    [[unroll]] for (uint j = 0u; j < UNITS_AT_ONCE; ++j) is_last[j] = unit[j] + 1u == piece_units[p[j] + 1u] / 16u;
  }
}

#endif

// Finds which piece of a rope (rope.glsl) a unit belongs to.
//
// For each word of 32 units the index has the piece to which the first of them belongs, and a bit
// for each unit that is the last of its piece. The piece of a unit is then that piece plus the
// number of bits before the unit. In tiles that have more units than there is room for, the piece
// is searched for.
#ifndef VKPRIMS_STRINGS_PIECE_INDEX_GLSL
#define VKPRIMS_STRINGS_PIECE_INDEX_GLSL

const uint VKP_INDEX_WORDS = gl_WorkGroupSize.x * 5u / 4u;  // for rows of 128 bytes on average
shared uint vkp_index_pieces[VKP_INDEX_WORDS];
shared uint vkp_index_ends[VKP_INDEX_WORDS];

// Called by the whole workgroup, which has to wait behind.
void vkp_clear_index() {
  vkp_index_ends[vkp_lane_of_tile()] = 0u;
  vkp_index_ends[VKP_INDEX_WORDS - 1u - vkp_lane_of_tile()] = 0u;
}

bool vkp_has_index(uint units) { return units < 32u * (VKP_INDEX_WORDS - 1u); }

// Enters the pieces of this invocation, which have so many units; the first of them is `first`. The
// bits of two words are set at once, as an atomic takes several instructions; to set a bit again
// does no harm.
void vkp_index_units(uint first, uint units[VKP_PIECES_EACH]) {
  uint begins[VKP_PIECES_EACH];
  uint end = first;
  const uint word = first + units[0] - 1u >> 5u;
  uvec2 ends = uvec2(0u);
  [[unroll]] for (uint e = 0u; e < VKP_PIECES_EACH; ++e) {
    begins[e] = end;
    end += units[e];
    const uint last = end - 1u;
    const uint bit = 1u << (last & 31u);
    const uint ahead = (last >> 5u) - word;
    if (ahead == 0u) ends.x |= bit;
    if (ahead == 1u) ends.y |= bit;
    if (ahead > 1u) atomicOr(vkp_index_ends[last >> 5u], bit, gl_ScopeWorkgroup, 0, 0);
  }
  atomicOr(vkp_index_ends[word], ends.x, gl_ScopeWorkgroup, 0, 0);
  atomicOr(vkp_index_ends[word + 1u], ends.y, gl_ScopeWorkgroup, 0, 0);
  for (uint i = (first + 31u) / 32u; 32u * i < end; ++i) {
    uint p = vkp_lane_of_tile() * VKP_PIECES_EACH;
    [[unroll]] for (uint e = 1u; e < VKP_PIECES_EACH; ++e) p += uint(begins[e] <= 32u * i);
    atomicStore(vkp_index_pieces[i], p, gl_ScopeWorkgroup, 0, 0);
  }
}

// Finds the pieces of some units of a tile, and whether these units are the last ones of their
// pieces.
void vkp_find_pieces(uint unit[VKP_UNITS_AT_ONCE], out uint p[VKP_UNITS_AT_ONCE],
                     out bool is_last[VKP_UNITS_AT_ONCE]) {
  if (vkp_is_indexed) {
    [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) {
      const uint bit = 1u << (unit[j] & 31u);
      const uint ends = vkp_index_ends[unit[j] >> 5u];
      p[j] = vkp_index_pieces[unit[j] >> 5u] + bitCount(ends & bit - 1u);
      is_last[j] = (ends & bit) != 0u;
    }
  } else {
    [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) p[j] = 0u;
    // VKP_TILE_PIECES need not be a power of two.
    [[unroll]] for (uint step = VKP_STRINGS_PIECES / 2u * gl_WorkGroupSize.x; step != 0u;
                    step /= 2u) {
      [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) {
        if (vkp_piece_units[min(p[j] + step, VKP_TILE_PIECES)] / 16u <= unit[j]) p[j] += step;
      }
    }
    [[unroll]] for (uint j = 0u; j < VKP_UNITS_AT_ONCE; ++j) {
      is_last[j] = unit[j] + 1u == vkp_piece_units[p[j] + 1u] / 16u;
    }
  }
}

#endif

// Which piece of a rope (rope.glsl) has a unit.
//
// For each word of 32 units there is the piece that has the first of them, and a bit for each unit that begins a piece: so
// what is asked is that piece and as many more as there are bits up to the unit. Of tiles that have more units than there is
// room for, the piece is searched for.
#ifndef STRINGS_PIECE_INDEX_GLSL
#define STRINGS_PIECE_INDEX_GLSL

const uint INDEX_WORDS = gl_WorkGroupSize.x * 5u / 4u;  // for rows of 128 bytes on average
shared uint index_pieces[INDEX_WORDS];
shared uint index_begins[INDEX_WORDS];

// By the whole workgroup, which has to wait behind.
void clear_index() {
  index_begins[own()] = 0u;
  index_begins[INDEX_WORDS - 1u - own()] = 0u;
}

bool has_index(uint units) { return units <= 32u * INDEX_WORDS; }

// Piece `p` has `units` units from `first` on, at least one.
void index_piece(uint p, uint first, uint units) {
  atomicOr(index_begins[first / 32u], 1u << (first & 31u), gl_ScopeWorkgroup, 0, 0);
  for (uint word = (first + 31u) / 32u; 32u * word < first + units; ++word) {
    atomicStore(index_pieces[word], p, gl_ScopeWorkgroup, 0, 0);
  }
}

uint indexed_piece(uint unit) {
  const uint others = (2u << (unit & 31u)) - 2u;  // behind the first of the word, up to this one
  return index_pieces[unit / 32u] + bitCount(index_begins[unit / 32u] & others);
}

// For the whole workgroup.
uint piece_of_unit(uint unit) {
  if (is_indexed) return indexed_piece(unit);
  uint p = 0u;
  for (uint step = TILE_PIECES / 2u; step != 0u; step /= 2u) {
    if (unit_starts[p + step] <= unit) p += step;
  }
  return p;
}

#endif

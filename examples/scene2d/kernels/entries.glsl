// What an entry of a tile's list says.
const uint KIND_DRAW = 0u, KIND_CLIP = 1u, KIND_LAYER = 2u, KIND_END_CLIP = 3u,
           KIND_END_LAYER = 4u;
// How much of the tile a shape covers. For the end of a clip this is what its beginning covers.
const uint CLASS_EMPTY = 0u, CLASS_FULL = 1u, CLASS_PARTIAL = 2u;
const uint ENTRY_EVEN_ODD = 256u, ENTRY_GRADIENT = 512u, ENTRY_OPAQUE = 1024u;  // flags

uint kind_of(uint kind) { return kind & 15u; }
uint class_of(uint kind) { return kind >> 4u & 15u; }
bool is_beginning(uint kind) { return kind_of(kind) == KIND_CLIP || kind_of(kind) == KIND_LAYER; }
bool is_end(uint kind) { return kind_of(kind) >= KIND_END_CLIP; }

// What a winding integral covers, in 1/65536 of a pixel, as a number 0 … 1.
float coverage(int winding, bool even_odd) {
  const uint w = uint(abs(winding));
  if (!even_odd) return min(float(w) / 65536.0, 1.0);
  const uint folded = w & 0x1ffffu;  // modulo 2
  return float(min(folded, 0x20000u - folded)) / 65536.0;
}

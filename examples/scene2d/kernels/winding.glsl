// Winding integrals of the pixels of a tile, for several shapes at once.
//
// An invocation takes an edge and adds it to the pixels that it touches. What it adds to a pixel it
// adds to all pixels right of it at most, so sums are kept as differences between neighbours, and
// one invocation for each pixel row sums them up. All are integers, in 1/65536 of a pixel, so their
// order does not matter.

const int UNITS = 4096;  // of edges, in a pixel
const uint SLOTS = 8u;   // shapes at once
const uint ROW_WORDS = TILE_SIZE + 1;  // one word for what is right of the tile
const uint SLOT_ROWS = SLOTS * TILE_SIZE;

shared int windings[SLOT_ROWS * ROW_WORDS];
shared uint slot_entries[SLOTS];  // the entry of each shape in the batch
shared uint slot_edges[SLOTS];    // where its edges begin

// The mean of clamp(1 - x, 0, 1) for x between both: how much of a pixel is right of an edge.
float share_right_of(float first, float last) {
  if (last - first <= 1e-4) return clamp(1.0 - 0.5 * (first + last), 0.0, 1.0);
  const float a = clamp(first, 0.0, 1.0), b = clamp(last, 0.0, 1.0);
  return (min(last, 0.0) - min(first, 0.0) + (b - a) * (1.0 - 0.5 * (a + b))) / (last - first);
}

void add(uint word, int x) { atomicAdd(windings[word], x, gl_ScopeWorkgroup, 0, 0); }

// Adds an edge, whose coordinates count from the corner of the tile.
void add_edge(ivec4 edge, uint slot) {
  const int sense = edge.y < edge.w ? 1 : -1;
  const ivec4 e = edge.y < edge.w ? edge : edge.zwxy;  // from top to bottom
  const float slope = float(e.z - e.x) / float(e.w - e.y), x = float(e.x) / float(UNITS);
  const int last_row = min((e.w - 1) >> 12, TILE_SIZE - 1);
  for (int row = max(e.y >> 12, 0); row <= last_row; ++row) {
    const int top = max(e.y, row * UNITS), bottom = min(e.w, row * UNITS + UNITS);
    const float xa = x + float(top - e.y) * slope / float(UNITS);
    const float xb = x + float(bottom - e.y) * slope / float(UNITS);
    const float first = min(xa, xb), last = max(xa, xb);
    const uint words = (slot * TILE_SIZE + uint(row)) * ROW_WORDS;
    const int whole = (bottom - top) * 16;
    const int last_column = int(clamp(floor(last), 0.0, float(TILE_SIZE - 1)));
    int column = int(clamp(floor(first), 0.0, float(TILE_SIZE)));
    int before = 0;  // what the pixel on the left has got
    for (; column <= last_column; ++column) {
      const float share = share_right_of(first - float(column), last - float(column));
      const int area = int(round(float(whole) * share));
      add(words + uint(column), sense * (area - before));
      before = area;
    }
    add(words + uint(column), sense * (whole - before));
  }
}

// Whether an entry has a shape that covers a part of the tile.
bool needs_slot(Entry entry) {
  return class_of(entry) == CLASS_PARTIAL &&
         (kind_of(entry) == KIND_DRAW || kind_of(entry) == KIND_CLIP);
}

// Computes the integrals of the next shapes among the entries i … n - 1 of the batch, and returns
// the entry behind those. All invocations call this.
uint wind_shapes(uint i, uint n, ivec2 corner) {
  barrier();
  uint slots = 0u, edges = 0u, first_edge = 0u;
  for (; i < n; ++i) {
    const Entry entry = entries[i];
    if (!needs_slot(entry)) continue;
    if (slots == SLOTS || (slots != 0u && edges + entry.edges > BATCH)) break;
    if (slots == 0u) first_edge = entry.edges_begin;
    if (gl_LocalInvocationIndex == 0u) {
      slot_entries[slots] = i;
      slot_edges[slots] = entry.edges_begin;
    }
    edges += entry.edges;
    ++slots;
  }
  for (uint k = gl_LocalInvocationIndex; k < SLOT_ROWS * ROW_WORDS; k += BATCH) windings[k] = 0;
  barrier();

  // An invocation for each pixel row of each shape.
  const uint slot = gl_LocalInvocationIndex / TILE_SIZE, row = gl_LocalInvocationIndex % TILE_SIZE;
  int left = 0;
  if (slot < slots) {
    const Entry entry = entries[slot_entries[slot]];
    left = f.left.v[entry.left + row * entry.tiles_across] * 16;
  }
  // The edges of a tile lie in the order of its entries.
  for (uint first = 0u; first < edges; first += BATCH) {  // as often in all subgroups
    const uint own = first_edge + first + gl_LocalInvocationIndex;
    uint of = 0u;
    for (uint s = 1u; s < slots; ++s) of += uint(slot_edges[s] <= own);
    if (own < first_edge + edges) {
      add_edge(f.edges.v[f.cell_edges.v[own]] - ivec4(corner, corner) * UNITS, of);
    }
  }
  barrier();
  if (slot < slots) {
    for (uint k = 0u; k < TILE_SIZE; ++k) {
      const uint word = gl_LocalInvocationIndex * ROW_WORDS + k;
      left += windings[word];
      windings[word] = left;
    }
  }
  barrier();
  return i;
}

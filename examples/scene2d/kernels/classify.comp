// Makes the list of each tile: what is to be done for an item, and whether its shape covers the
// tile wholly, partly or not at all.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "entries.glsl"
#include "complete.glsl"

// Without edges in its tile a shape covers all of it or nothing.
uint class_in(uint edges, int backdrop, bool even_odd) {
  if (edges != 0u) return CLASS_PARTIAL;
  return (even_odd ? backdrop & 1 : backdrop) != 0 ? CLASS_FULL : CLASS_EMPTY;
}

bool is_opaque(Brush brush) { return brush.kind == 0u && brush.colour.a == 1.0; }

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.results.v.pairs) return;
  const uint pair = f.sorted_pairs.v[i];
  const Item item = f.items.v[f.pair_items.v[pair]];
  const uint rank = f.pair_ranks.v[pair];
  const Op op = f.ops.v[item.subject];
  const uint tag = tag_of(op);
  const bool ends_it = item.op != item.subject;

  Entry entry = Entry(0u, item.subject, 0u, 0u, 0);
  if (tag == TAG_BEGIN_LAYER) {
    entry.kind = (ends_it ? KIND_END_LAYER : KIND_LAYER) | CLASS_PARTIAL << 4u;
  } else {
    // An end has the same tiles as its beginning, in the same order.
    const uint own = f.pair_begins.v[f.item_of_op.v[item.subject]] + rank;
    const uint cell = f.places.v[own];
    entry.backdrop = f.backdrops.v[own];
    entry.edges_begin = f.cell_begins.v[cell];
    entry.edges = f.cell_counts.v[cell];
    const uint covers =
        is_complete(item) ? class_in(entry.edges, entry.backdrop, is_even_odd(op)) : CLASS_EMPTY;
    entry.kind = (tag == TAG_DRAW ? KIND_DRAW : ends_it ? KIND_END_CLIP : KIND_CLIP) | covers << 4u;
    if (is_even_odd(op)) entry.kind |= ENTRY_EVEN_ODD;
    if (tag == TAG_DRAW) {
      const Brush brush = f.brushes.v[item.subject];
      if (brush.kind != 0u) entry.kind |= ENTRY_GRADIENT;
      if (is_opaque(brush)) entry.kind |= ENTRY_OPAQUE;
    }
  }
  f.entries.v[i] = entry;
}

// Makes the list of each tile: what is to be done for an item, and whether its shape covers the
// tile wholly, partly or not at all.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "entries.glsl"
#include "complete.glsl"

// The place in `left` of the cell's first pixel row.
uint left_of(uint pairs_before, uint rank, uint across) {
  return TILE_SIZE * (pairs_before + rank / across * across) + rank % across;
}

uint class_in(uint cell, uint left, uint across, bool even_odd) {
  if (f.cell_counts.v[cell] != 0u) return CLASS_PARTIAL;
  // No edge is in the cell but horizontal ones, which are no crossings: pixels of a row have the
  // same winding integral.
  const int first = f.left.v[left];
  for (uint k = 1u; k < TILE_SIZE; ++k) {
    if (f.left.v[left + k * across] != first) return CLASS_PARTIAL;
  }
  const float covered = coverage(first << 4, even_odd);
  return covered == 0.0 ? CLASS_EMPTY : covered == 1.0 ? CLASS_FULL : CLASS_PARTIAL;
}

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.results.v.pairs) return;
  const uint pair = f.sorted_pairs.v[i];
  const Item item = f.items.v[f.pair_items.v[pair]];
  const uint rank = f.pair_ranks.v[pair];
  const uint across = low_and_high(item.last_tile).x - low_and_high(item.first_tile).x;
  const Op op = f.ops.v[item.subject];
  const uint tag = tag_of(op);
  const bool is_end = item.op != item.subject;

  Entry entry = Entry(0u, item.subject, 0u, 0u, 0u, across);
  if (tag == TAG_BEGIN_LAYER) {
    entry.kind = (is_end ? KIND_END_LAYER : KIND_LAYER) | CLASS_PARTIAL << 4u;
  } else {
    // An end has the same tiles as its beginning, in the same order.
    const uint pairs_before = f.pair_begins.v[f.item_of_op.v[item.subject]];
    const uint cell = f.places.v[pairs_before + rank];
    entry.left = left_of(pairs_before, rank, across);
    const uint covers =
        is_complete(item) ? class_in(cell, entry.left, across, is_even_odd(op)) : CLASS_EMPTY;
    entry.kind = (tag == TAG_DRAW ? KIND_DRAW : is_end ? KIND_END_CLIP : KIND_CLIP) | covers << 4u;
    if (is_even_odd(op)) entry.kind |= ENTRY_EVEN_ODD;
    if (tag == TAG_DRAW && f.brushes.v[item.subject].kind != 0u) entry.kind |= ENTRY_GRADIENT;
    entry.edges_begin = f.cell_begins.v[cell];
    entry.edges = f.cell_counts.v[cell];
  }
  f.entries.v[i] = entry;
}

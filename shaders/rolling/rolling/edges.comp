// Rolling windows that are longer than a tile: each is a suffix of the block in which it begins, a
// middle, and a prefix of the block in which it ends.
//
// The windows of a tile of T rows begin at T neighbouring elements, its left edge, and end at T
// neighbouring elements, its right edge. As a window is at least T long, the two do not overlap,
// and what lies between is the same for all rows:
//   window j = elements j … of the left edge (+) the middle (+) elements … j - 1 of the right edge
// A workgroup makes the suffixes of the left edge and the prefixes of the right edge: 4
// combinations a row, whatever the window.
//
// Where T is the length of the window there is no middle, and the right edge of a tile is the left
// edge of the next one: a workgroup marches over several tiles and reads each element once
// (MARCHES; otherwise a workgroup has one tile). Where the window is somewhat longer, the left edge
// includes the middle. Where it is much longer, fold.comp and double.comp have stored the middle
// (MIDDLES).
//
// Source: see tile.comp; blocks of the window's length are those of van Herk, Gil and Werman.
// %VARIANT% WINDOW word|f32|count_word|count_f32|arg_word|var_f32|pair|f64|count_pair|count_f64|arg_pair|var_f64
// %INLINE% vkp_identity|vkp_add64|vkp_less64|vkp_sub64|vkp_mul64|vkp_shr64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rolling/rolling/monoids.glsl"

layout(push_constant) uniform Push { RollingPush push; };

#include "rolling/rolling/around.glsl"
#include "rolling/rolling/store.glsl"

const bool middles = (flags & VKP_ROLLING_MIDDLES) != 0u;

// Folds from each element of the own run to its end, and on over `behind`.
void suffixes_of(Window x[run_items], Window behind, out Window windows[run_items]) {
  [[unroll]] for (uint j = run_items; j-- > 0u;) {
    behind = vkp_combine(x[j], behind);
    windows[j] = behind;
  }
}

// add_own() and add_before() add to windows that end in the right edge what they have of it. While
// others are waited for, add_own() adds what they have of the own run, and returns the fold of
// that run; add_before() then adds what lies before the run. Sums and minima need no order; for
// other monoids add_before() adds everything.
Window add_own(Window x[run_items], inout Window windows[run_items]) {
  Window fold = x[0];
  [[unroll]] for (uint j = 1u; j < run_items; ++j) {
#if !COUNTED
    windows[j] = vkp_combine(windows[j], fold);
#endif
    fold = vkp_combine(fold, x[j]);
  }
  return fold;
}
void add_before(Window x[run_items], Window before, inout Window windows[run_items]) {
  [[unroll]] for (uint j = 0u; j < run_items; ++j) {
    windows[j] = vkp_combine(windows[j], before);
#if COUNTED
    before = vkp_combine(before, x[j]);
#endif
  }
}

Window middle_of(uint tile) {
  if (!middles) return vkp_identity();
  return vkp_load_element(vkp_add64(vkp_u64(push.middles), vkp_mul64(tile, VKP_BYTES)), 0u);
}

uvec2 row_of(const uint tile) { return vkp_mul64(tile, push.tile_items); }
Block left_edge(uint tile, uvec2 n) {
  return Block(vkp_add64(row_of(tile), vkp_u64(push.first)),
               middles ? push.tile_items : push.window.lo, n);
}
Block right_edge(const uint tile, const uvec2 n) {
  const uvec2 first = vkp_add64(row_of(tile), vkp_u64(push.first));
  return Block(vkp_add64(first, vkp_u64(push.window)), push.tile_items, n);
}

void main() {
  const uvec2 n = vkp_read_count(push.source.count);
  const uint begin = vkp_group_index() * push.batches;
  if (!vkp_less64(row_of(begin), n)) return;

  const Divisor divisor = divisor_of(vkp_u64(push.window));
  // The elements that a tile needs are on their way while the tile before is computed.
  STAGED items[run_items], next[run_items];
  fetch_block(left_edge(begin, n), items);
  fetch_block(right_edge(begin, n), next);
  Window x[run_items];
  Window windows[run_items];
  place_block(left_edge(begin, n), items, x);
  if (marches) suffixes_of(x, fold_around(vkp_identity(), fold_run(x), 1u).behind, windows);
  const uint batches = marches ? push.batches : 1u;
  for (uint batch = 0u; batch < batches; ++batch) {
    const uint tile = begin + batch;
    const uint rows = vkp_clamped_difference(n, row_of(tile), push.tile_items);
    if (rows == 0u) return;
    Window y[run_items];
    place_block(right_edge(tile, n), next, y);
    if (batch + 1u < batches) fetch_ahead(right_edge(tile + 1u, n), next);
    Around around;
    if (marches) {
      const Window fold = add_own(y, windows);
      around = fold_around(fold, fold, batch);
    } else {
      around = fold_around(fold_run(y), fold_run(x), 0u);
      suffixes_of(x, vkp_combine(around.behind, middle_of(tile)), windows);
      add_own(y, windows);
    }
    add_before(y, around.before, windows);
    store_results(row_of(tile), rows, windows, n, divisor);
    if (marches) suffixes_of(y, around.behind, windows);
  }
}

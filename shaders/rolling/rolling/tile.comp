// Rolling windows so short that the elements which the rows of a tile look at fit into shared
// memory: there is one dispatch, and no scratch.
//
// These elements, one after another, are cut into runs of K. An invocation has K neighbouring
// rows: their windows begin in its run, end in K neighbouring elements further on, and share all
// that lies between:
//   window j = the own run from element j on (+) the middle (+) j elements behind it
// The middle is q whole runs and the head of another one, of (window - K) % K elements. The
// windows of q runs are made by doubling: of the folds of 1, 2, 4 … runs those that make up q
// are joined. A row takes 4 combinations, and 3 log2(q) / K for doubling, which is below 3; no
// order is changed, and no chain of sums is long.
// A window shorter than K is folded by itself, in registers.
//
// Source: M. van Herk, "A Fast Algorithm for Local Minimum and Maximum Filters on Rectangular and
// Octagonal Kernels" (1992), J. Gil, M. Werman, "Computing 2-D Min, Median, and Max Filters"
// (1993), for windows made of a suffix and a prefix.
// %VARIANT% WINDOW word|f32|count_word|count_f32|arg_word|var_f32|pair|f64|count_pair|count_f64|arg_pair|var_f64
// %INLINE% vkp_identity
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rolling/rolling/monoids.glsl"

layout(push_constant) uniform Push { RollingPush push; };

#include "rolling/rolling/stage.glsl"
#include "rolling/rolling/store.glsl"

layout(constant_id = VKP_ROLLING_SPEC_RUNS) const uint max_runs = 1;
layout(constant_id = VKP_ROLLING_SPEC_WINDOW) const uint short_window = 0;

// Two planes have the folds of whole runs, in turn, and one has those of the heads of runs.
const uint HEADS = 2u;
shared UNIT folds[3u * UNITS * max_runs];

void put_fold(const uint plane, const uint at, const Window x) {
  UNIT u[UNITS];
  pack_units(x, u);
  [[unroll]] for (uint i = 0u; i < UNITS; ++i) folds[(plane * UNITS + i) * max_runs + at] = u[i];
}

Window fold_at(const uint plane, const uint at) {
  UNIT u[UNITS];
  [[unroll]] for (uint i = 0u; i < UNITS; ++i) u[i] = folds[(plane * UNITS + i) * max_runs + at];
  return unpack_units(u);
}

void load_run(uint at, uvec2 first, uvec2 n, out Window x[run_items]) {
  const uvec2 begin = vkp_add64(first, at * run_items);
  const Marks marks = marks_of(begin, n);
  [[unroll]] for (uint k = 0u; k < run_items; ++k) {
    x[k] = window_of(staged_at(place_of(at * run_items) + k), begin, k, marks);
  }
}

// Stores the fold of a run, and that of its first `head_items` elements.
void put_folds(uint at, Window x[run_items], uint head_items) {
  Window fold = x[0];
  Window head = fold;
  [[unroll]] for (uint k = 1u; k < run_items; ++k) {
    if (k == head_items) head = fold;
    fold = vkp_combine(fold, x[k]);
  }
  put_fold(0u, at, fold);
  if (head_items != 0u) put_fold(HEADS, at, head);
}

// Returns the middle of the windows of invocation `own`.
Window middle_of(uint own, uint whole, uint head_items) {
  const uint width = gl_WorkGroupSize.x;
  const uint runs = width + whole;
  Window middle = vkp_identity();
  uint at = own + 1u;
  uint plane = 0u;
  for (uint k = 0u; (whole >> k) != 0u; ++k) {
    const uint length = 1u << k;
    if ((whole & length) != 0u) {
      middle = vkp_combine(middle, fold_at(plane, at));
      at += length;
    }
    if ((whole >> k) > 1u) {
      for (uint begin = 0u; begin < runs; begin += width) {
        const uint i = begin + own;
        if (i + length < runs) {
          put_fold(1u - plane, i, vkp_combine(fold_at(plane, i), fold_at(plane, i + length)));
        }
      }
      barrier();
      plane = 1u - plane;
    }
  }
  if (head_items != 0u) middle = vkp_combine(middle, fold_at(HEADS, at));
  return middle;
}

void fold_short_windows(uint own, uvec2 first, uvec2 n, out Window windows[run_items]) {
  Window x[2u * run_items];
  const uvec2 begin = vkp_add64(first, own * run_items);
  const Marks marks = marks_of(begin, n), next = marks_of(vkp_add64(begin, run_items), n);
  [[unroll]] for (uint k = 0u; k < run_items; ++k) {
    x[k] = window_of(staged_at(place_of(own * run_items) + k), begin, k, marks);
  }
  [[unroll]] for (uint k = 0u; k + 1u < short_window; ++k) {
    x[run_items + k] =
        window_of(staged_at(place_of((own + 1u) * run_items) + k), vkp_add64(begin, run_items), k,
                  next);
  }
  [[unroll]] for (uint j = 0u; j < run_items; ++j) {
    windows[j] = x[j];
    [[unroll]] for (uint k = 1u; k < short_window; ++k) {
      windows[j] = vkp_combine(windows[j], x[j + k]);
    }
  }
}

void fold_windows(uint own, uint window, uvec2 first, uvec2 n, out Window windows[run_items]) {
  const uint width = gl_WorkGroupSize.x;
  const uint whole = (window - run_items) / run_items;
  const uint head_items = (window - run_items) % run_items;
  const uint runs = width + whole + 1u;
  Window x[run_items];
  [[dont_unroll]] for (uint begin = 0u; begin < runs; begin += width) {
    const uint at = begin + own;
    if (at >= runs) continue;
    Window more[run_items];
    load_run(at, first, n, more);
    put_folds(at, more, head_items);
    [[unroll]] for (uint k = 0u; k < run_items; ++k) {
      if (begin == 0u) x[k] = more[k];
    }
  }
  barrier();
  Window suffix = middle_of(own, whole, head_items);
  [[unroll]] for (uint j = run_items; j-- > 0u;) {
    suffix = vkp_combine(x[j], suffix);
    windows[j] = suffix;
  }
  const uint end = own * run_items + window;
  const uvec2 behind = vkp_add64(first, end);
  const Marks marks = marks_of(behind, n);
  Window prefix = vkp_identity();
  [[unroll]] for (uint j = 1u; j < run_items; ++j) {
    prefix = vkp_combine(
        prefix, window_of(staged_at(place_of(end + j - 1u)), behind, j - 1u, marks));
    windows[j] = vkp_combine(windows[j], prefix);
  }
}

void main() {
  const uvec2 n = vkp_read_count(push.source.count);
  const uint tile_items = gl_WorkGroupSize.x * run_items;
  const uvec2 row = vkp_mul64(vkp_group_index(), tile_items);
  const uint rows = vkp_clamped_difference(n, row, tile_items);
  if (rows == 0u) return;
  const uvec2 first = vkp_add64(row, vkp_u64(push.first));
  const uint window = short_window != 0u ? short_window : push.window.lo;
  stage_elements(first, tile_items + window - 1u, n);
  Window windows[run_items];
  if (short_window != 0u) {
    fold_short_windows(gl_LocalInvocationIndex, first, n, windows);
  } else {
    fold_windows(gl_LocalInvocationIndex, window, first, n, windows);
  }
  store_results(row, rows, windows, n, divisor_of(vkp_u64(push.window)));
}

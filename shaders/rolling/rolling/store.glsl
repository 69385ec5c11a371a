// Stores the results of a tile, and their validity.
//
// The includer declares a push constant block `push` that is a RollingPush.
#ifndef VKPRIMS_ROLLING_STORE_GLSL
#define VKPRIMS_ROLLING_STORE_GLSL

#include "rolling/rolling/results.glsl"
#if COUNTED
#include "rolling/rolling/parts.glsl"
#endif

const bool out_validity = (flags & VKP_ROLLING_OUT_VALIDITY) != 0u;
const bool marches = (flags & VKP_ROLLING_MARCHES) != 0u;
const uint out_words = (flags & VKP_ROLLING_OUT_WORDS_2) != 0u ? 2u : 1u;

shared uint valid_words[gl_WorkGroupSize.x * run_items / 32u + 2u];

void store_words(const uvec2 base, const uint i, const uvec2 words) {
  if (out_words == 2u) {
    VkpWords2(base).v[i] = words;
  } else {
    VkpWords(base).v[i] = words.x;
  }
}

// Marks as valid those of rows begin … begin + 31 whose bits are set in `valid`.
void mark_valid(const uint begin, const uint valid) {
  atomicOr(valid_words[begin / 32u], valid << begin % 32u);
  if (begin % 32u != 0u) atomicOr(valid_words[begin / 32u + 1u], valid >> 32u - begin % 32u);
}

#if OWN
// Stores windows by way of the stage.
void store_rows(uvec2 first, uint rows, Window windows[run_items], uvec2 n, Divisor divisor) {
  const uint begin = own_run() * run_items;
  uint valid = 0u;
  if ((flags & VKP_ROLLING_ADDS_PART) != 0u) add_parts(first, rows, windows, n);
  stage_barrier();
  [[unroll]] for (uint k = 0u; k < run_items; ++k) {
    bool enough = true;
    if (checks_count) {
      const uvec2 elements =
          counts ? elements_of(windows[k]) : existing(vkp_add64(first, begin + k), n);
      enough = !vkp_less64(elements, vkp_u64(push.needed));
    }
    VALUE result = windows[k].value;
    if (!enough) result = value_identity();
    put_staged(place_of(begin) + k, words_of(result));
    if (enough && begin + k < rows) valid |= 1u << k;
  }
  if (out_validity && valid != 0u) mark_valid(begin, valid);
  stage_barrier();
  const uvec2 own = vkp_add64(first, item_of(0u));
  const uvec2 base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(own, element_bytes));
  [[unroll]] for (uint i = 0u; i < run_items; ++i) {
    if (item_of(i) < rows) store_bits(base, i * item_stride(), staged_at(item_place(i)));
  }
}
#elif COUNTED
// Makes the result of each window, and stores it by way of the stage if results are not wider than
// values. Windows that know their number of elements need no divisor.
void store_rows(uvec2 first, uint rows, Window windows[run_items], uvec2 n, Divisor divisor) {
  const bool staged = out_words <= VALUE_WORDS;
  const uvec2 base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u * out_words));
  const uint begin = own_run() * run_items;
  uint valid = 0u;
  if ((flags & VKP_ROLLING_ADDS_PART) != 0u) add_parts(first, rows, windows, n);
  stage_barrier();
  [[unroll]] for (uint k = 0u; k < run_items; ++k) {
    const uint row = begin + k;
    if (row < rows) {
      const uvec2 elements = elements_of(windows[k]);
      bool is_valid;
      const uvec2 result =
          result_or_null(windows[k], elements, mean_of(windows[k], elements), is_valid);
      if (is_valid) valid |= 1u << k;
      if (!staged) {
        store_words(base, row, result);
      } else {
#if VALUE_WORDS == 1
        stage[place_of(begin) + k] = result.x;
#else
        stage[place_of(begin) + k] = result;
#endif
      }
    }
  }
  if (out_validity && valid != 0u) mark_valid(begin, valid);
  if (!staged) return;
  stage_barrier();
  const uvec2 own = vkp_add64(base, item_of(0u) * 4u * out_words);
  [[unroll]] for (uint i = 0u; i < run_items; ++i) {
#if VALUE_WORDS == 1
    if (item_of(i) < rows) store_words(own, i * item_stride(), uvec2(stage[item_place(i)], 0u));
#else
    if (item_of(i) < rows) store_words(own, i * item_stride(), stage[item_place(i)]);
#endif
  }
}
#else
Window staged_window(const uint i) {
  Window x;
  x.value = value_of(stage[item_place(i)]);
  return x;
}

// Stores windows by way of the stage; results are made of them as they are read back from there.
void store_rows(uvec2 first, uint rows, Window windows[run_items], uvec2 n, Divisor divisor) {
  const uvec2 base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u * out_words));
  const uvec2 own = vkp_add64(base, item_of(0u) * 4u * out_words);
  const uvec2 window = vkp_u64(push.window);
  const bool whole =
      existing(first, n) == window && existing(vkp_add64(first, rows - 1u), n) == window;
  stage_barrier();
  [[unroll]] for (uint k = 0u; k < run_items; ++k) {
    stage[place_of(own_run() * run_items) + k] = unit_of(windows[k].value);
  }
  stage_barrier();
  bool is_valid;
  // In most tiles all rows exist, and all windows are whole.
  if (whole && !out_validity && !marches && rows == gl_WorkGroupSize.x * run_items) {
    [[unroll]] for (uint i = 0u; i < run_items; ++i) {
      const Window x = staged_window(i);
      store_words(own, i * item_stride(), result_or_null(x, window, mean_of(x, divisor), is_valid));
    }
  } else if (whole && !out_validity) {
    [[unroll]] for (uint i = 0u; i < run_items; ++i) {
      const Window x = staged_window(i);
      const uvec2 result = result_or_null(x, window, mean_of(x, divisor), is_valid);
      if (item_of(i) < rows) store_words(own, i * item_stride(), result);
    }
  } else {
    [[dont_unroll]] for (uint i = 0u; i < run_items; ++i) {
      const uint row = item_of(i);
      const uvec2 elements = existing(vkp_add64(first, row), n);
      const Window x = staged_window(i);
      const uvec2 result = result_or_null(x, elements, mean_of(x, elements), is_valid);
      if (row < rows) {
        store_words(base, row, result);
        if (out_validity && is_valid) mark_valid(row, 1u);
      }
    }
  }
}
#endif

// Stores the results of `rows` rows from `first` on; each invocation has the windows of its run.
// All invocations must call it; what was staged is lost. `divisor` is that of whole windows.
void store_results(const uvec2 first, const uint rows, const Window windows[run_items],
                   const uvec2 n,
                   const Divisor divisor) {
#if COUNTED
  if ((flags & VKP_ROLLING_STORES_PART) != 0u) {
    store_parts(first, rows, windows, n);
    return;
  }
#endif
  // The validity words of a tile belong to no other workgroup.
  const uint words = (rows + 31u) / 32u;
  if (out_validity) {
    for (uint at = gl_LocalInvocationIndex; at <= words; at += gl_WorkGroupSize.x) {
      valid_words[at] = 0u;
    }
    barrier();
  }
  store_rows(first, rows, windows, n, divisor);
  if (out_validity) {
    barrier();
    const uvec2 validity =
        vkp_add64(vkp_u64(push.out_validity), vkp_mul64(vkp_shr64(first, 5u), 4u));
    for (uint at = gl_LocalInvocationIndex; at < words; at += gl_WorkGroupSize.x) {
      VkpWords(validity).v[at] = valid_words[at];
    }
  }
}

#endif

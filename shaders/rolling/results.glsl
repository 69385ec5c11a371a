// From windows to results: means, keys back to elements, nulls; and where they go.
//
// Needs a push constant block `push` that is a RollingPush.
#ifndef VKPRIMS_ROLLING_RESULTS_GLSL
#define VKPRIMS_ROLLING_RESULTS_GLSL

#include "rolling/input.glsl"

const bool out_validity = (flags & VKP_ROLLING_OUT_VALIDITY) != 0u;
const uint out_words = (flags & VKP_ROLLING_OUT_WORDS_2) != 0u ? 2u : 1u;
const bool marches = (flags & VKP_ROLLING_MARCHES) != 0u;
const bool checks_count = (flags & VKP_ROLLING_CHECKS_COUNT) != 0u;

shared uint valid_words[gl_WorkGroupSize.x * chunk / 32u + 2u];

// Elements of the window of row i that exist.
uvec2 existing(uvec2 i, uvec2 n) {
  uvec2 begin = vkp_add64(i, vkp_u64(push.first));
  uvec2 end = vkp_add64(begin, vkp_u64(push.window));
  if ((begin.y & 0x80000000u) != 0u) begin = uvec2(0u);
  if ((end.y & 0x80000000u) != 0u) end = uvec2(0u);
  end = vkp_min64(end, n);
  return vkp_less64(begin, end) ? vkp_sub64(end, begin) : uvec2(0u);
}

#if FLOATING
VALUE number(uvec2 n) { return VALUE(n.y) * VALUE(4294967296.0) + VALUE(n.x); }
#endif

#if VALUE_WORDS == 1
const uvec2 not_a_number = uvec2(0x7fc00000u, 0u);
#else
const uvec2 not_a_number = uvec2(0u, 0x7ff80000u);
#endif

// Of means, and 1 / it.
struct Divisor {
  VALUE n, inverse;
};
Divisor divisor_of(uvec2 n) {
#if FLOATING
  if (op == VKP_ROLLING_OP_MEAN) return Divisor(number(n), VALUE(1) / number(n));
#endif
  return Divisor(VALUE(0), VALUE(0));
}

#if FLOATING
// x / n, by the inverse and what that leaves over. (P. Markstein, "Computation of elementary functions on the IBM RISC
// System/6000 processor", 1990.) Where that may be too small or too large to be a number it is left as it is, which is
// one rounding more than a division has.
VALUE quotient(VALUE x, Divisor by) {
#if VALUE_WORDS == 1
  const uint exponent = floatBitsToUint(x) >> 23u & 0xffu;
  const uint least = 64u, most = 0xf0u;
#else
  const uint exponent = unpackDouble2x32(x).y >> 20u & 0x7ffu;
  const uint least = 256u, most = 0x7f0u;
#endif
  const VALUE y = x * by.inverse;
  const VALUE better = fma(fma(-y, by.n, x), by.inverse, y);
  return exponent - least <= most - least ? better : y;
}
#endif

// The result of a window of `n` elements, as words. `divisor`: n, of means.
uvec2 result_of(Window x, uvec2 n, Divisor divisor) {
  if (op == VKP_ROLLING_OP_COUNT) return n;
#if ARG
  return x.index;
#else
  VALUE y = x.value;
#if VARIANCE
  if (!vkp_less64(uvec2(push.ddof, 0u), n)) return not_a_number;
  y = x.squares / number(vkp_sub64(n, uvec2(push.ddof, 0u)));
#elif FLOATING
  if (op == VKP_ROLLING_OP_MEAN) y = quotient(x.value, divisor);
#else
  if (!sums) y = bits_of(is_less(worst_key, y) ? worst_key : y);
#endif
  const UNIT u = unit_of(y);
#if VALUE_WORDS == 1
  return uvec2(u, 0u);
#else
  return u;
#endif
#endif
}

void store_words(uvec2 base, uint i, uvec2 words) {
  if (out_words == 2u) {
    VkpWords2(base).v[i] = words;
  } else {
    VkpWords(base).v[i] = words.x;
  }
}

// The result of a row, which is null where its window has too few elements; and whether it is valid.
uvec2 result_or_null(Window x, uvec2 elements, Divisor divisor, out bool valid) {
  const bool enough = !checks_count || !vkp_less64(elements, vkp_u64(push.needed));
  valid = enough || (flags & VKP_ROLLING_FILLS) != 0u;
  if (!enough && op != VKP_ROLLING_OP_COUNT) return vkp_u64(push.null_value);
  return result_of(x, elements, divisor);
}

// The bits of rows begin … begin + 31, those that `valid` has.
void mark_valid(uint begin, uint valid) {
  atomicOr(valid_words[begin / 32u], valid << begin % 32u);
  if (begin % 32u != 0u) atomicOr(valid_words[begin / 32u + 1u], valid >> 32u - begin % 32u);
}

#if COUNTED
// From each window its result, and from there to the stage, if results are not wider than values.
void store_rows(uvec2 first, uint rows, Window windows[chunk], uvec2 n, Divisor divisor) {
  const bool staged = out_words <= VALUE_WORDS;
  const uvec2 base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u * out_words));
  const uvec2 parts = vkp_add64(vkp_u64(push.parts), vkp_mul64(first, VKP_BYTES));
  const uint begin = own_chunk() * chunk;
  uint valid = 0u;
  stage_barrier();
  [[unroll]] for (uint k = 0u; k < chunk; ++k) {
    const uint row = begin + k;
    if (row < rows) {
      if ((flags & VKP_ROLLING_ADDS_PART) != 0u) windows[k] = combine_runs(windows[k], vkp_load_element(parts, row));
      const uvec2 elements = elements_of(windows[k]);
      bool is_valid;
      const uvec2 result = result_or_null(windows[k], elements, divisor_of(elements), is_valid);
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
  [[unroll]] for (uint i = 0u; i < chunk; ++i) {
#if VALUE_WORDS == 1
    if (item_of(i) < rows) store_words(own, i * item_stride(), uvec2(stage[item_place(i)], 0u));
#else
    if (item_of(i) < rows) store_words(own, i * item_stride(), stage[item_place(i)]);
#endif
  }
}
#else
Window staged_window(uint i) {
  Window x;
  x.value = value_of(stage[item_place(i)]);
  return x;
}

// By way of the stage, from which results are made where they are stored.
void store_rows(uvec2 first, uint rows, Window windows[chunk], uvec2 n, Divisor divisor) {
  const uvec2 base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u * out_words));
  const uvec2 own = vkp_add64(base, item_of(0u) * 4u * out_words);
  const uvec2 window = vkp_u64(push.window);
  const bool whole = existing(first, n) == window && existing(vkp_add64(first, rows - 1u), n) == window;
  stage_barrier();
  [[unroll]] for (uint k = 0u; k < chunk; ++k) stage[place_of(own_chunk() * chunk) + k] = unit_of(windows[k].value);
  stage_barrier();
  bool is_valid;
  // Of most tiles all rows are there, and all windows whole.
  if (whole && !out_validity && !marches && rows == gl_WorkGroupSize.x * chunk) {
    [[unroll]] for (uint i = 0u; i < chunk; ++i) {
      store_words(own, i * item_stride(), result_or_null(staged_window(i), window, divisor, is_valid));
    }
  } else if (whole && !out_validity) {
    [[unroll]] for (uint i = 0u; i < chunk; ++i) {
      const uvec2 result = result_or_null(staged_window(i), window, divisor, is_valid);
      if (item_of(i) < rows) store_words(own, i * item_stride(), result);
    }
  } else {
    [[dont_unroll]] for (uint i = 0u; i < chunk; ++i) {
      const uint row = item_of(i);
      const uvec2 elements = existing(vkp_add64(first, row), n);
      const uvec2 result = result_or_null(staged_window(i), elements, divisor_of(elements), is_valid);
      if (row < rows) {
        store_words(base, row, result);
        if (out_validity && is_valid) mark_valid(row, 1u);
      }
    }
  }
}
#endif

// The results of `rows` rows from `first` on, of which an invocation has the windows of its chunk. To be called by all;
// what was staged is lost. `divisor`: of whole windows.
void store_results(uvec2 first, uint rows, Window windows[chunk], uvec2 n, Divisor divisor) {
  if ((flags & VKP_ROLLING_STORES_PART) != 0u) {
    const uvec2 parts = vkp_add64(vkp_u64(push.parts), vkp_mul64(first, VKP_BYTES));
    const uint begin = own_chunk() * chunk;
    [[unroll]] for (uint k = 0u; k < chunk; ++k) {
      if (begin + k < rows) vkp_store_element(parts, begin + k, windows[k]);
    }
    return;
  }
  if (!out_validity) {
    store_rows(first, rows, windows, n, divisor);
    return;
  }
  // The words of a tile are those of no other workgroup.
  const uint words = (rows + 31u) / 32u;
  for (uint at = gl_LocalInvocationIndex; at <= words; at += gl_WorkGroupSize.x) valid_words[at] = 0u;
  barrier();
  store_rows(first, rows, windows, n, divisor);
  barrier();
  const uvec2 validity = vkp_add64(vkp_u64(push.out_validity), vkp_mul64(vkp_shr64(first, 5u), 4u));
  for (uint at = gl_LocalInvocationIndex; at < words; at += gl_WorkGroupSize.x) {
    VkpWords(validity).v[at] = valid_words[at];
  }
}

#endif

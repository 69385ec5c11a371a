// From windows to results: means, keys back to elements, nulls; and where they go.
//
// Needs a push constant block `push` that is a RollingPush.
#ifndef VKPRIMS_ROLLING_RESULTS_GLSL
#define VKPRIMS_ROLLING_RESULTS_GLSL

#include "rolling/input.glsl"

const bool out_validity = (flags & VKP_ROLLING_OUT_VALIDITY) != 0u;
const uint out_words = (flags & VKP_ROLLING_OUT_WORDS_2) != 0u ? 2u : 1u;
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
#if FLOATING
Divisor divisor_of(uvec2 n) { return Divisor(number(n), VALUE(1) / number(n)); }

// x / n by the inverse and what that leaves over: as exact as a division, unless the remainder is too small to be a
// number, or x too large, infinite or NaN. (P. Markstein, "Computation of elementary functions on the IBM RISC
// System/6000 processor", 1990.)
VALUE quotient(VALUE x, Divisor by) {
#if VALUE_WORDS == 1
  const uint exponent = floatBitsToUint(x) >> 23u & 0xffu;
  const uint least = 64u, most = 0xf0u;
#else
  const uint exponent = unpackDouble2x32(x).y >> 20u & 0x7ffu;
  const uint least = 256u, most = 0x7f0u;
#endif
  if (exponent - least > most - least) return x / by.n;
  const VALUE y = x * by.inverse;
  return fma(fma(-y, by.n, x), by.inverse, y);
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
  if (!sums) y = bits_of(is_worse(y, worst_key) ? worst_key : y);
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

// The results of `rows` rows from `first` on, of which an invocation has the chunk `own`. To be called by all; what was
// staged is lost. Where results are wider than values, they do not fit into the stage.
void store_results(uvec2 first, uint rows, uint own, Window windows[chunk], uvec2 n) {
  const uvec2 part_bytes = vkp_mul64(first, VKP_BYTES);
  const uvec2 parts = vkp_add64(vkp_u64(push.parts), part_bytes);
  const uint begin = own * chunk;
  if ((flags & VKP_ROLLING_STORES_PART) != 0u) {
    [[unroll]] for (uint k = 0u; k < chunk; ++k) {
      if (begin + k < rows) vkp_store_element(parts, begin + k, windows[k]);
    }
    return;
  }
  const uvec2 window = vkp_u64(push.window);
  const bool staged_results = out_words <= VALUE_WORDS;
  const uvec2 out_base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u * out_words));
  const uint words = (rows + 31u) / 32u;
  // Of most tiles all windows are whole, and all means have the same divisor.
  const bool whole =
      COUNTED == 0 && existing(first, n) == window && existing(vkp_add64(first, rows - 1u), n) == window;
  Divisor divisor = Divisor(VALUE(0), VALUE(0));
#if FLOATING
  if (op == VKP_ROLLING_OP_MEAN) divisor = divisor_of(window);
#endif
  if (out_validity) {
    for (uint at = 0u; at < words; at += gl_WorkGroupSize.x) {
      const uint word = at + gl_LocalInvocationIndex;
      if (word < words) valid_words[word] = 0u;
    }
    barrier();
  }
  stage_barrier();
  uint valid = 0u;
  [[unroll]] for (uint k = 0u; k < chunk; ++k) {
    const uint row = begin + k;
    if (row >= rows) continue;
    uvec2 number_of_elements = uvec2(0u);
#if COUNTED
    if ((flags & VKP_ROLLING_ADDS_PART) != 0u) windows[k] = combine_runs(windows[k], vkp_load_element(parts, row));
    number_of_elements = elements_of(windows[k]);
#else
    number_of_elements = window;
    if (!whole) number_of_elements = existing(vkp_add64(first, row), n);
#endif
#if FLOATING
    if (op == VKP_ROLLING_OP_MEAN && !whole) divisor = divisor_of(number_of_elements);
#endif
    uvec2 result = result_of(windows[k], number_of_elements, divisor);
    bool is_valid = true;
    if (checks_count) {
      is_valid = !vkp_less64(number_of_elements, vkp_u64(push.needed));
      if (!is_valid && op != VKP_ROLLING_OP_COUNT) result = vkp_u64(push.null_value);
    }
    if (is_valid || (flags & VKP_ROLLING_FILLS) != 0u) valid |= 1u << k;
    if (staged_results) {
#if VALUE_WORDS == 1
      stage[place_of(own * chunk) + k] = result.x;
#else
      stage[place_of(own * chunk) + k] = result;
#endif
    } else {
      store_words(out_base, row, result);
    }
  }
  if (out_validity) {
    const uint word = begin / 32u, shift = begin % 32u;
    if (valid != 0u) {
      atomicOr(valid_words[word], valid << shift);
      if (shift + chunk > 32u) atomicOr(valid_words[word + 1u], valid >> (32u - shift));
    }
    barrier();
  }
  if (staged_results) {
    stage_barrier();
    [[unroll]] for (uint i = 0u; i < chunk; ++i) {
      const uint row = item_of(i);
      if (row >= rows) continue;
#if VALUE_WORDS == 1
      store_words(out_base, row, uvec2(stage[place_of(row)], 0u));
#else
      store_words(out_base, row, stage[place_of(row)]);
#endif
    }
  }
  if (out_validity) {
    const uvec2 validity = vkp_add64(vkp_u64(push.out_validity), vkp_mul64(vkp_shr64(first, 5u), 4u));
    for (uint at = 0u; at < words; at += gl_WorkGroupSize.x) {
      const uint word = at + gl_LocalInvocationIndex;
      if (word < words) VkpWords(validity).v[word] = valid_words[word];
    }
  }
}

#endif

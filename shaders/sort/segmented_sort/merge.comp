// Segmented sort, the later dispatches: each merges neighbouring runs of the segments that have
// several tiles.
//
// sort/merge/tiles.comp explains the method: a workgroup makes one tile of the output of one merge.
//
// Keys and values go to and fro between the output and scratch, so that the last merge writes the
// output.
//
// The grid does not hold a workgroup for each tile, as there may be nothing to merge. A workgroup
// takes up to 65 tiles, which it searches for side by side before it merges any.
//
// Source: O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012).
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#if defined(VKP_KEY_word)
#define KEY_WORDS 1
#else
#define KEY_WORDS 2
#endif
#define FORMAT_IS_CONSTANT 1
#include "sort/segmented_sort/parts.glsl"

shared uint staged[KEY_WORDS][gl_WorkGroupSize.x * VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS)];
// Each word holds two sources.
shared uint sources[gl_WorkGroupSize.x * VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS) / 2];

KEY staged_number(uint i) {
#if KEY_WORDS == 1
  return staged[0][i];
#else
  return uvec2(staged[0][i], staged[1][i]);
#endif
}

void stage_numbers(Part part) {
  const uvec2 a_base = key_address(part.from_out, part.a_first);
  // This may wrap, and wraps back.
  const uvec2 b_base = key_address(part.from_out, vkp_sub64(part.b_first, uvec2(part.a, 0u)));
  KEY bits[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uvec2 base = k < part.a ? a_base : b_base;
    if (k < part.count) bits[i] = load_bits(vkp_add64(base, k * 4u * KEY_WORDS), 0u);
  }
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const KEY number = number_of(bits[i]);
#if KEY_WORDS == 1
    staged[0][k] = number;
#else
    staged[0][k] = number.x;
    staged[1][k] = number.y;
#endif
  }
}

// Returns how many of the first `diagonal` keys of the tile come from a.
uint split(Part part, uint count, uint diagonal) {
  const uint b = count - part.a;
  uint first = diagonal - min(diagonal, b);
  const uint end = min(diagonal, part.a);
  for (uint left = min(part.a, b); left != 0u;) {
    const uint half_left = (left + 1u) / 2u;
    const uint next = first + half_left;
    const bool inside = next <= end;
    const KEY a_key = staged_number(inside ? next - 1u : 0u);
    const KEY b_key = staged_number(inside ? part.a + diagonal - next : 0u);
    if (inside && !key_less(b_key, a_key)) first = next;
    left -= half_left;
  }
  return first;
}

// Notes where the keys of this invocation come from.
void merge(Part part, uint count) {
  const uint diagonal = min(gl_LocalInvocationIndex * ITEMS, count);
  uint a = split(part, count, diagonal);
  uint b = part.a + diagonal - a;
  const uint last = count - 1u;
  KEY a_key = staged_number(min(a, last));
  KEY b_key = staged_number(min(b, last));
  uint pair = 0u;
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const bool take_a = a < part.a && (b >= count || !key_less(b_key, a_key));
    const uint source = min(take_a ? a : b, last);
    pair = i % 2u == 0u ? source : pair | source << 16;
    if (i % 2u == 1u) sources[(gl_LocalInvocationIndex * ITEMS + i) / 2u] = pair;
    const KEY next = staged_number(min(source + 1u, last));
    if (take_a) {
      ++a;
      a_key = next;
    } else {
      ++b;
      b_key = next;
    }
  }
}

// Moves word w of the keys or values of both runs into their order.
void carry_word(Part part, uint source[ITEMS], uvec2 from_a, uvec2 from_b, uvec2 to, uint words,
                uint w) {
  // All words are loaded before the first is stored, so that loads do not wait for each other.
  uint word[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uvec2 from = source[i] < part.a ? from_a : from_b;
    if (k < part.count) word[i] = VkpWords(from).v[source[i] * words + w];
  }
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (k < part.count) VkpWords(to).v[k * words + w] = word[i];
  }
}

void store(Part part) {
  const uvec2 b_first = vkp_sub64(part.b_first, uvec2(part.a, 0u));
  const uvec2 out_base = key_address(!part.from_out, part.out_first);
  uint source[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    source[i] = sources[k / 2u] >> (16u * (k % 2u)) & 0xffffu;
  }
  if ((format & VKP_SEGMENTED_SORT_BY_VALUE) == 0u) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
      const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      const KEY number = staged_number(k < part.count ? source[i] : 0u);
      if (k < part.count) store_bits(out_base, k, bits_of(number));
    }
  } else {  // several keys may have the same number
    const uvec2 a_keys = key_address(part.from_out, part.a_first);
    const uvec2 b_keys = key_address(part.from_out, b_first);
    [[unroll]] for (uint w = 0u; w < KEY_WORDS; ++w) {
      carry_word(part, source, a_keys, b_keys, out_base, KEY_WORDS, w);
    }
  }
  const uvec2 a_values = value_address(part.from_out, part.a_first);
  const uvec2 b_values = value_address(part.from_out, b_first);
  const uvec2 out_values = value_address(!part.from_out, part.out_first);
  for (uint w = 0u; w < value_words(); ++w) {
    carry_word(part, source, a_values, b_values, out_values, value_words(), w);
  }
}

void merge_part(Part part) {
  if (part.count == 0u) return;
  barrier();  // shared memory is used again
  stage_numbers(part);
  barrier();
  merge(part, part.count);
  barrier();
  store(part);
}

void main() {
  if (push.pass >= VkpWords(vkp_u64(push.scratch)).v[VKP_SEGMENTED_SORT_PASSES]) return;
  const uint parts = parts_in_list();
  const uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  for (uint first = vkp_group_index(); first < parts; first += step * PARTS) {
    const uint own = first + gl_LocalInvocationIndex * step;
    barrier();
    if (gl_LocalInvocationIndex < PARTS && own < parts) {
      keep_part(gl_LocalInvocationIndex, part_of_list(own));
    }
    barrier();
    for (uint i = 0u; i < PARTS && first + i * step < parts; ++i) merge_part(kept_part(i));
  }
}

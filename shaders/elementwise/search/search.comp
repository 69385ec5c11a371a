// Search: finds where every needle belongs in a sorted haystack, by binary search without branches.
//
// All invocations halve a range of the same length in the same number of steps; only the start of
// the range depends on the needle. So nothing diverges, and an invocation has the loads of 4
// searches in flight at once.
//
// If needles ascend, too, a subgroup first looks for the first and the last needle of its
// workgroup's tile, as the results of the others lie between. Its lanes sample the range in as many
// places as there are lanes, so that a few steps suffice. All subgroups of the workgroup do the
// same, which costs no memory traffic and spares a barrier. Needles that do not ascend, or a
// haystack that does not, give wrong results. But whatever the data, a position stays within the
// range that it started with.
//
// Where many needles are in any order, a workgroup first loads samples of the haystack into shared
// memory, in which its needles take their first steps. In memory these would take as long as other
// steps, though their elements are in a cache: lanes of a subgroup want as many different ones.
// %VARIANT% KEY word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "elementwise/search/search.abi.h"
#define VKP_KEY_TYPE_CONSTANT VKP_SEARCH_SPEC_TYPE
#if defined(VKP_KEY_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif
#include "vkprims/keys.glsl"
#include "vkprims/memory/tile.glsl"
#include "vkprims/memory/units.glsl"

layout(constant_id = VKP_SEARCH_SPEC_UPPER) const uint upper = 0;
layout(constant_id = VKP_SEARCH_SPEC_INDEX_WORDS) const uint index_words = 1;
layout(constant_id = VKP_SEARCH_SPEC_SORTED) const uint needles_sorted = 0;
layout(constant_id = VKP_SEARCH_SPEC_SAMPLES) const uint samples = 1;
layout(push_constant) uniform Push { SearchPush push; };

const uint items = VKP_SEARCH_ITEMS;
const uint unit_items = vkp_row_words == 4u ? 4u / VKP_KEY_WORDS : 1u;  // items that one load moves
const uint units = items / unit_items;

// Whether an element of the haystack comes before the place of a needle.
bool before(VKP_KEY element, VKP_KEY needle) {
  if (upper != 0u) return !vkp_key_less(needle, element);
  return vkp_key_less(element, needle);
}

uvec2 haystack_address(uvec2 index) {
  return vkp_add64(vkp_u64(push.haystack_base), vkp_mul64(index, VKP_KEY_BYTES));
}

VKP_KEY haystack_key(uvec2 address) { return vkp_load_key(address); }

#include "elementwise/search/find.glsl"

Range range_of_tile(uvec2 needle_base, uint needles, uvec2 count) {
  if (needles_sorted == 0u) return Range(uvec2(0u), count);
  const uvec2 last = vkp_add64(needle_base, (needles - 1u) * VKP_KEY_BYTES);
  const uvec2 start = find_together(vkp_load_key(needle_base), count);
  const uvec2 end = find_together(vkp_load_key(last), count);
  return Range(start, vkp_less64(start, end) ? vkp_sub64(end, start) : uvec2(0u));
}

// Element (i + 1) * stride - 1 of the haystack is sample i.
shared VKP_KEY sample_keys[samples];

void load_samples(uvec2 stride) {
  for (uint i = 0u; i < samples; i += gl_WorkGroupSize.x) {
    const uint sample_index = i + gl_LocalInvocationIndex;
    if (sample_index < samples) {
      const uvec2 end = haystack_address(vkp_mul64(stride, sample_index + 1u));
      sample_keys[sample_index] = haystack_key(vkp_sub64(end, uvec2(element_bytes, 0u)));
    }
  }
  barrier();
}

// Finds out between which samples needles lie. The place of a needle is then among the `count`
// elements from its `first` on, or behind them. As `count` is the same for all needles, these may
// begin before the sample, where less of `all` elements lie behind it.
void find_between_samples(uvec2 stride, uvec2 all, uvec2 count, VKP_KEY needle[items],
                          out uvec2 first[items]) {
  uint before_needle[items];
  [[unroll]] for (uint i = 0u; i < items; ++i) before_needle[i] = 0u;
  for (uint half_left = samples; half_left != 0u; half_left >>= 1) {
    [[unroll]] for (uint i = 0u; i < items; ++i) {
      const uint next = min(before_needle[i] + half_left, samples);
      if (before(sample_keys[next - 1u], needle[i])) before_needle[i] = next;
    }
  }
  const uvec2 last = vkp_sub64(all, count);
  [[unroll]] for (uint i = 0u; i < items; ++i) {
    first[i] = vkp_min64(vkp_mul64(stride, before_needle[i]), last);
  }
}

void load_needles(uvec2 base, uint row, uint count, out VKP_KEY needle[items]) {
  [[unroll]] for (uint u = 0u; u < units; ++u) {
    const uint unit = vkp_move(row * units + u);
    const uint at = u * unit_items;
    if (unit_items > 1u && (unit + 1u) * unit_items <= count) {
      const uvec4 v = VkpWords4(base).v[unit];
#if VKP_KEY_WORDS == 1
      [[unroll]] for (uint k = 0u; k < items; ++k) needle[k] = vkp_order_of(v[k]);
#else
      needle[at] = vkp_order_of(v.xy);
      needle[(at + 1u) % items] = vkp_order_of(v.zw);
#endif
    } else {
      [[unroll]] for (uint k = 0u; k < unit_items; ++k) {
        // Items past the end look for the last needle.
        const uint item = min(unit * unit_items + k, count - 1u);
        needle[at + k] = vkp_load_key(vkp_add64(base, item * VKP_KEY_BYTES));
      }
    }
  }
}

void store(uvec2 base, uint row, uint count, uvec2 index[items]) {
  [[unroll]] for (uint u = 0u; u < units; ++u) {
    const uint first = vkp_move(row * units + u) * unit_items;
    uvec2 x[4];
    [[unroll]] for (uint k = 0u; k < unit_items; ++k) x[k] = index[u * unit_items + k];
    vkp_store_unit(base, first, unit_items, index_words, x, count - min(first, count));
  }
}

void main() {
  const uint tile_items = gl_WorkGroupSize.x * vkp_rows * items;
  const uvec2 first = vkp_mul64(vkp_group_index(), tile_items);
  const uint needles = vkp_clamped_difference(vkp_read_count(push.count), first, tile_items);
  if (needles == 0u) return;
  const uvec2 needle_base =
      vkp_add64(vkp_u64(push.needle_base), vkp_mul64(first, VKP_KEY_BYTES));
  const uvec2 out_base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u * index_words));
  const uvec2 haystack_count = vkp_read_count(push.haystack_count);
  Range range = range_of_tile(needle_base, needles, haystack_count);
  const uvec2 stride = vkp_shr64(haystack_count, uint(findLSB(samples)));
  const bool has_samples = samples > 1u && stride != uvec2(0u);
  if (has_samples) {
    load_samples(stride);
    // So many may lie behind the last sample, or between two others.
    const uvec2 rest = vkp_sub64(haystack_count, vkp_mul64(stride, samples));
    const uvec2 between = vkp_sub64(stride, uvec2(1u, 0u));
    range.count = vkp_less64(rest, between) ? between : rest;
  }

  for (uint row = 0u; row < vkp_rows; ++row) {
    VKP_KEY needle[items];
    uvec2 index[items];
    load_needles(needle_base, row, needles, needle);
    uvec2 first_element[items];
    [[unroll]] for (uint i = 0u; i < items; ++i) first_element[i] = range.first;
    if (has_samples) {
      find_between_samples(stride, haystack_count, range.count, needle, first_element);
    }
    find(first_element, range.count, needle, index);
    store(out_base, row, needles, index);
  }
}

// Key ranges: where each of the keys 0, 1, 2 … begins in a sorted sequence, by binary search.
//
// The results of a tile lie between those of its first and last key, which a subgroup finds with as
// many samples at a time as it has lanes. All subgroups do the same, which spares a barrier.
// %VARIANT% KEY word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "elementwise/key_ranges/key_ranges.abi.h"
#include "vkprims/core.glsl"
#include "vkprims/memory/tile.glsl"
#include "vkprims/memory/units.glsl"

layout(constant_id = VKP_KEY_RANGES_SPEC_INDEX_WORDS) const uint index_words = 1;
layout(push_constant) uniform Push { KeyRangesPush push; };

const uint items = VKP_KEY_RANGES_ITEMS;
const uint unit_items = vkp_row_words == 4u ? items : 1u;  // items that are stored at once

#define VKP_KEY uvec2
#if defined(VKP_KEY_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif

uvec2 haystack_address(uvec2 index) {
  return vkp_add64(vkp_u64(push.haystack_base), vkp_mul64(index, 4u * VKP_KEY_WORDS));
}

uvec2 haystack_key(uvec2 address) {
#if VKP_KEY_WORDS == 1
  return uvec2(VkpWords(address).v[0] >> push.shift, 0u);
#else
  const uvec2 element = VkpWords2(address).v[0];
  if (push.shift >= 32u) return uvec2(element.y >> push.shift - 32u, 0u);
  return vkp_shr64(element, push.shift);
#endif
}

bool before(uvec2 element, uvec2 key) { return vkp_less64(element, key); }

#include "elementwise/search/find.glsl"

void main() {
  const uint tile_items = gl_WorkGroupSize.x * vkp_rows * items;
  const uvec2 first = vkp_mul64(vkp_group_index(), tile_items);
  const uint results =
      vkp_clamped_difference(vkp_add64(vkp_u64(push.ranges), 1u), first, tile_items);
  if (results == 0u) return;
  const uvec2 count = vkp_read_count(push.count);
  const uvec2 start = find_together(first, count);
  const uvec2 end = find_together(vkp_add64(first, results - 1u), count);
  // If the sequence is not sorted, the end may come first.
  const Range range = Range(start, vkp_less64(start, end) ? vkp_sub64(end, start) : uvec2(0u));
  const uvec2 out_base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u * index_words));
  for (uint row = 0u; row < vkp_rows; ++row) {
    uint number[items];  // of a result in the tile
    uvec2 key[items], first_element[items], index[items];
    [[unroll]] for (uint k = 0u; k < items; ++k) {
      number[k] = vkp_move(row * items / unit_items + k / unit_items) * unit_items + k % unit_items;
      key[k] = vkp_add64(first, min(number[k], results - 1u));
      first_element[k] = range.first;
    }
    find(first_element, range.count, key, index);
    [[unroll]] for (uint u = 0u; u < items / unit_items; ++u) {
      uvec2 x[4];
      [[unroll]] for (uint k = 0u; k < unit_items; ++k) x[k] = index[u * unit_items + k];
      const uint at = number[u * unit_items];
      vkp_store_unit(out_base, at, unit_items, index_words, x, results - min(at, results));
    }
  }
}

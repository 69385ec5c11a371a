// What a workgroup of merge.comp merges: a tile of the output of two runs, as search.comp has
// recorded it.
#ifndef VKPRIMS_SEGMENTED_SORT_PARTS_GLSL
#define VKPRIMS_SEGMENTED_SORT_PARTS_GLSL

#include "sort/segmented_sort/segmented_sort.glsl"

// Items of an invocation in a tile that was sorted.
layout(constant_id = VKP_SPEC_ROWS) const uint sort_items = 32;

const uint ITEMS = VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS);
const uint SORTED_TILE = gl_WorkGroupSize.x * sort_items;
const uint TILE = gl_WorkGroupSize.x * ITEMS;

struct Part {
  uvec2 a_first, b_first;  // first keys of both runs
  uvec2 out_first;
  uint a, count;  // keys of run a, and of both
  bool from_out;  // the runs lie in out, and go to scratch
};

uint parts_in_list() { return tiles_in_list() * (sort_items / ITEMS); }

uvec2 part_address(uint i) {
  return vkp_add64(vkp_u64(push.parts), vkp_mul64(i, VKP_SEGMENTED_SORT_PART_BYTES));
}

void store_part(uint i, Part x) {
  const uvec2 counts = uvec2(x.a | x.count << 16, x.from_out ? 1u : 0u);
  VkpWords4(part_address(i)).v[0] = uvec4(x.a_first, x.b_first);
  VkpWords4(part_address(i)).v[1] = uvec4(x.out_first, counts);
}

Part load_part(uint i) {
  const uvec4 x = VkpWords4(part_address(i)).v[0];
  const uvec4 y = VkpWords4(part_address(i)).v[1];
  return Part(x.xy, x.zw, y.xy, y.z & 0xffffu, y.z >> 16, y.w != 0u);
}

// The address of element i of out, or of the room in scratch.
uvec2 key_address(bool in_out, uvec2 i) {
  if (in_out) return element(push.out_base, i, KEY_WORDS);
  return element(push.spare_keys, i, KEY_WORDS);
}

uvec2 value_address(bool in_out, uvec2 i) {
  if (in_out) return element(push.values_out, i, value_words());
  return element(push.spare_values, i, value_words());
}

#endif

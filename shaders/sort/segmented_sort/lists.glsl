// The lists of segments in scratch, one for each class except 0 (segmented_sort.abi.h).
#ifndef VKPRIMS_SEGMENTED_SORT_LISTS_GLSL
#define VKPRIMS_SEGMENTED_SORT_LISTS_GLSL

#include "sort/segmented_sort/segmented_sort.glsl"

struct Entry {
  uvec2 first;  // number of the first key, less than 2^40
  uint keys;    // less than 2^24
};

uint capacity_of(uint c) {
  return min(VKP_SEGMENTED_SORT_CAPACITY(c, push.units), push.max_entries);
}

uvec2 entry_address(uint c, uint i) {
  uvec2 address = tile_address(push.max_tiles);
  for (uint before = 1u; before < c; ++before) {
    address = vkp_add64(address, vkp_mul64(capacity_of(before), VKP_SEGMENTED_SORT_ENTRY_BYTES));
  }
  return vkp_add64(address, vkp_mul64(i, VKP_SEGMENTED_SORT_ENTRY_BYTES));
}

void store_entry(uint c, uint i, Entry x) {
  VkpWords2(entry_address(c, i)).v[0] = uvec2(x.first.x, x.first.y | x.keys << 8);
}

Entry load_entry(uint c, uint i) {
  const uvec2 x = VkpWords2(entry_address(c, i)).v[0];
  return Entry(uvec2(x.x, x.y & 0xffu), x.y >> 8);
}

#endif

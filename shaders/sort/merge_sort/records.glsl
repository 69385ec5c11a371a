// Finds where the tiles of a merge begin in two sequences, and records it for merge.comp.
//
// A workgroup records one tile less than it has invocations: the last invocation finds where the
// last tile ends. Whatever the comparison says, a record never leaves the sequences.
#ifndef VKPRIMS_MERGE_SORT_RECORDS_GLSL
#define VKPRIMS_MERGE_SORT_RECORDS_GLSL

#include "sort/merge_sort/split_in_memory.glsl"

shared uvec2 vkp_splits[gl_WorkGroupSize.x];

// The number of the tile of this invocation, which the last one does not record.
uvec2 vkp_own_tile() {
  return vkp_add64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x - 1u),
                   gl_LocalInvocationIndex);
}

// The merge that a tile is of: the sequences, the first elements of both, and how many elements of
// the merge come before the tile.
struct VkpMerge {
  uvec2 a_base, b_base;
  uvec2 a_first, b_first, a_count, b_count;
  uvec2 diagonal;
  uint places;  // which sequences they are
};

// All invocations call this; `is_tile` says whether this one has a tile, or the end of one.
void vkp_record_tile(const VkpMerge m, const uint tile, const bool is_tile, const uint tile_items,
                     const uvec2 records, const uint tiles) {
  const uvec2 items = vkp_add64(m.a_count, m.b_count);
  uvec2 split = uvec2(0u);
  if (is_tile) {
    split = vkp_split_in_memory(vkp_address_of(m.a_base, m.a_first, VKP_BYTES), m.a_count,
                                vkp_address_of(m.b_base, m.b_first, VKP_BYTES), m.b_count,
                                vkp_min64(m.diagonal, items));
  }
  vkp_splits[gl_LocalInvocationIndex] = split;
  barrier();
  if (gl_LocalInvocationIndex + 1u < gl_WorkGroupSize.x && tile < tiles) {
    const uint count = is_tile ? vkp_clamped_difference(items, m.diagonal, tile_items) : 0u;
    // At the end of the merge all of a has been taken.
    const bool is_last = !vkp_less64(vkp_add64(m.diagonal, tile_items), items);
    const uvec2 end = is_last ? m.a_count : vkp_splits[gl_LocalInvocationIndex + 1u];
    const uint a = vkp_clamped_difference(end, split, count);
    const uvec2 record = vkp_add64(records, vkp_mul64(tile, VKP_MERGE_SORT_RECORD_BYTES));
    VkpWords4(record).v[0] = uvec4(vkp_add64(m.a_first, split),
                                   vkp_add64(m.b_first, vkp_sub64(m.diagonal, split)));
    VkpWords4(record).v[1] = uvec4(a, count, m.places, 0u);
  }
}

#endif

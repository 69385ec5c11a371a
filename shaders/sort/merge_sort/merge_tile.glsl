// A workgroup merges a tile of the output of two sequences.
#ifndef VKPRIMS_MERGE_SORT_MERGE_TILE_GLSL
#define VKPRIMS_MERGE_SORT_MERGE_TILE_GLSL

#include "sort/merge_sort/merge_path.glsl"

// The tile: where the elements begin that it takes of the sequences, and where element 0 of it
// would lie if all were elements of b. `a` of them come from sequence a.
struct VkpTile {
  uvec2 keys_a, keys_b, keys_out;
  uvec2 values_a, values_b, values_out;
  uint a, count;
};

void vkp_merge_tile(const VkpTile tile) {
  vkp_stage(tile.keys_a, tile.keys_b, tile.a * VKP_WORDS, tile.count);
  barrier();
  VkpItem x[VKP_ITEMS];
  uint places[VKP_ITEMS];
  vkp_merge_runs(VkpRuns(0u, tile.a, tile.count), min(vkp_first_own(), tile.count),
                 vkp_first_step(vkp_tile_items / 2u), x, places);
  barrier();
  vkp_stage_own(x);
  barrier();
  vkp_store_staged(tile.keys_out, tile.count);
  if (vkp_value_words == 0u) return;
  barrier();
  vkp_stage_own_numbers(places);
  barrier();
  uvec2 value[VKP_ITEMS];
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) {
    const uint place = min(vkp_staged[vkp_place_of_value(i)], tile.count - 1u);
    value[i] = vkp_load_value(mix(tile.values_b, tile.values_a, bvec2(place < tile.a)), place);
  }
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) {
    const uint k = vkp_place_of_value(i);
    if (k < tile.count) vkp_store_value(tile.values_out, k, value[i]);
  }
}

#endif

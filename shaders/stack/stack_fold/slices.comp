// The folds of the survivors of each tile, by rank. This dispatch of stack_fold comes behind
// tiles.comp of stack_match, with a tile for each subgroup.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/stack_fold.glsl"

void fold_survivors(uint tile) {
  const uint count = survivors_of(load_effect(tile));
  const uvec2 list = list_of(tile);
  VKP_T before = vkp_identity();
  for (uint from = 0u; from < count; from += gl_SubgroupSize) {
    const uint rank = from + gl_SubgroupInvocationID;
    uvec2 element = uvec2(0u);
    VKP_T x = vkp_identity();
    if (rank < count) {
      element = vkp_add64(tile_first(tile), VkpWords(list).v[rank]);
      x = load_in(element);
    }
    x = vkp_combine(before, vkp_subgroup_inclusive_scan(x));
    if (rank < count) store_out(element, x);
    before = vkp_shuffle(x, gl_SubgroupSize - 1u);
  }
}

void main() {
  const uint tiles = tiles_of(item_count());
  for (uint i = gl_SubgroupID; i < VKP_STACK_FOLD_TILES; i += gl_NumSubgroups) {
    const uint tile = vkp_group_index() * VKP_STACK_FOLD_TILES + i;
    if (tile < tiles) fold_survivors(tile);
  }
}

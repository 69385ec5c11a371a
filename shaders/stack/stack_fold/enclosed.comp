// Folds over what brackets enclose that reach beyond a tile, with an invocation for each pair of
// masks. This is the last dispatch of stack_fold for such folds.
//
// tiles.comp has folded from the open up to the end of its tile and from the beginning of the
// close's tile up to the close. Of the tiles between, height by height, a range is made up of nodes
// at its left, up to one that begins 8 siblings, and of nodes at its right, down to one that ends 8
// siblings. The two sides are folded apart, so the order is kept. Without a close the range reaches
// up to the end, and the fold stops by itself at the next reset.
//
// Work: at most 14 nodes for each height, log8(tiles) heights, for each open whose range leaves its
// tile.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/tree_nodes.glsl"

Node fold_tiles(uint tiles, uint from, uint upto) {
  Node left = nothing();
  Node right = nothing();
  uint begin = 0u;
  for (uint height = 0u; from < upto; ++height) {
    while (from < upto && from % VKP_STACK_FAN_OUT != 0u) {
      left = combine(left, load_node(begin + from++));
    }
    while (from < upto && upto % VKP_STACK_FAN_OUT != 0u) {
      right = combine(load_node(begin + --upto), right);
    }
    from /= VKP_STACK_FAN_OUT;
    upto /= VKP_STACK_FAN_OUT;
    begin += tree_count(tiles, height);
  }
  return combine(left, right);
}

void main() {
  const uint tiles = tile_count();
  const uint mask = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  const uint tile = mask / tile_blocks;
  if (tile >= tiles) return;
  const uint first = tile * tile_items() + mask % tile_blocks;
  const uvec2 masks = VkpWords2(masks_at(mask)).v[0];
  for (uint opens = masks.x; opens != 0u; opens &= opens - 1u) {
    const uint open = first + findLSB(opens) * tile_blocks;
    const uint close = VkpWords(answer_at(open)).v[0];
    const bool is_closed = close != NONE;
    const Node between = fold_tiles(tiles, tile + 1u, is_closed ? close / tile_items() : tiles);
    VKP_T x = vkp_combine(load_out(uvec2(open, 0u)), between.fold);
    if (is_closed) {
      x = vkp_combine(x, load_out(uvec2(close, 0u)));
      store_out(uvec2(close, 0u), x);
    }
    store_out(uvec2(open, 0u), x);
  }
  for (uint closes = masks.y; closes != 0u; closes &= closes - 1u) {
    const uint close = first + findLSB(closes) * tile_blocks;
    if (VkpWords(answer_at(close)).v[0] == NONE) store_out(uvec2(close, 0u), vkp_identity());
  }
}

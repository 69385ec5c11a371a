// One height of the tree for folds over what brackets enclose, with an invocation for each node.
// These dispatches of stack_fold are between tiles.comp and enclosed.comp, from the lowest height
// to the highest.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/tree_nodes.glsl"

void main() {
  const uint tiles = tile_count();
  const uint node = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (node >= tree_count(tiles, fold_push.height)) return;
  uint begin = 0u;  // of the nodes below
  for (uint i = 1u; i < fold_push.height; ++i) begin += tree_count(tiles, i - 1u);
  const uint below = tree_count(tiles, fold_push.height - 1u);
  Node x = nothing();
  for (uint i = VKP_STACK_FAN_OUT * node; i < min(VKP_STACK_FAN_OUT * (node + 1u), below); ++i) {
    x = combine(x, load_node(begin + i));
  }
  store_node(begin + below + node, x);
}

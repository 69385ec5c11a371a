// One height of the tree for folds over what brackets enclose, with an invocation for each node.
// These dispatches of stack_fold come before enclosed.comp, from the lowest height to the highest.
// The lowest one also stores in `out` the values of symbols that are not opens.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/tree_nodes.glsl"

void main() {
  const uint height = fold_push.height;
  const uint count = symbol_count();
  const uint below = tree_count(count, height - 1u);
  const uint node = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (node >= tree_count(count, height)) return;
  const uint begin_below = height == 1u ? 0u : nodes_begin(count, height - 1u);
  Node x = nothing();
  for (uint i = VKP_STACK_FAN_OUT * node; i < min(VKP_STACK_FAN_OUT * (node + 1u), below); ++i) {
    if (height == 1u) {
      const uint kind = kind_of(i);
      const Node own = leaf(i, kind);
      if (kind != KIND_OPEN) store_out(uvec2(i, 0u), own.fold);
      x = combine(x, own);
    } else {
      x = combine(x, load_node(begin_below, i));
    }
  }
  store_node(nodes_begin(count, height), node, x);
}

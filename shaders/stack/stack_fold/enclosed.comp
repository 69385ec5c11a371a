// Folds over what brackets enclose, with an invocation for each open; its close gets the same fold.
// This is the last dispatch of stack_fold for such folds.
//
// What an open encloses is the range up to its close, which stack_match has found. Without a close
// the range reaches up to the next reset or the end, where the fold stops by itself. Height by
// height, a range is made up of nodes at its left, up to one that begins 8 siblings, and of nodes
// at its right, down to one that ends 8 siblings. The two sides are folded apart, so the order is
// kept.
//
// Work: at most 14 nodes for each height, log8(symbols) heights, whatever the input.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/tree_nodes.glsl"

Node node_at(const uint begin, const uint height, const uint i) {
  return height == 0u ? leaf(i, kind_of(i)) : load_node(begin, i);
}

Node fold_range(uint count, uint from, uint upto) {
  Node left = nothing();
  Node right = nothing();
  uint begin = 0u;
  for (uint height = 0u; from < upto; ++height) {
    while (from < upto && from % VKP_STACK_FAN_OUT != 0u) {
      left = combine(left, node_at(begin, height, from++));
    }
    while (from < upto && upto % VKP_STACK_FAN_OUT != 0u) {
      right = combine(node_at(begin, height, --upto), right);
    }
    from /= VKP_STACK_FAN_OUT;
    upto /= VKP_STACK_FAN_OUT;
    if (height != 0u) begin += tree_count(count, height);
  }
  return combine(left, right);
}

void main() {
  const uint count = symbol_count();
  const uint open = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (open >= count || kind_of(open) != KIND_OPEN) return;
  const uint close = VkpWords(vkp_u64(push.match)).v[open];
  Node x = fold_range(count, open + 1u, close == NONE ? count : close);
  if (fold_push.with_open != 0u) x = combine(leaf(open, KIND_OPEN), x);
  store_out(uvec2(open, 0u), x.fold);
  if (close != NONE) store_out(uvec2(close, 0u), x.fold);
}

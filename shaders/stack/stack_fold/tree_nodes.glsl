// Folds over what brackets enclose: the leaves, and the nodes of a tree over them.
//
// A node has 8 children and the fold of theirs. A node that stops has a reset below it, and its
// fold is that of what comes before the first reset. Stopping folds are a monoid, too.
#ifndef VKPRIMS_STACK_FOLD_TREE_NODES_GLSL
#define VKPRIMS_STACK_FOLD_TREE_NODES_GLSL

#include "stack/stack_fold/stack_fold.glsl"
#include "stack/stack_match/tags.glsl"

struct Node {
  VKP_T fold;
  bool stops;
};
Node nothing() { return Node(vkp_identity(), false); }
Node combine(Node left, Node right) {
  if (!left.stops) {
    left.fold = vkp_combine(left.fold, right.fold);
    left.stops = right.stops;
  }
  return left;
}

uint symbol_count() { return vkp_read_count(push.count).x; }
uint kind_of(uint element) { return tag_of(vkp_add64(uvec2(element, 0u), push.head)) & 3u; }

// Only symbols that are opens or nothing have values.
Node leaf(uint element, uint kind) {
  Node x = nothing();
  if (kind <= KIND_OPEN) x.fold = load_in(uvec2(element, 0u));
  x.stops = kind == KIND_RESET;
  return x;
}

// Returns where the nodes of a height begin, for heights from 1 on. Each node has the room of a
// BaseFold, whose link says whether the node stops.
uint nodes_begin(uint count, uint height) {
  uint begin = 0u;
  for (uint i = 1u; i < height; ++i) begin += tree_count(count, i);
  return begin;
}
Node load_node(uint begin, uint i) {
  const BaseFold x = load_fold(vkp_u64(fold_push.folds), begin + i);
  return Node(x.fold, x.link != 0u);
}
void store_node(uint begin, uint i, Node x) {
  store_fold(vkp_u64(fold_push.folds), begin + i, BaseFold(x.stops ? 1u : 0u, x.fold));
}

#endif

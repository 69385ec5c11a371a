// Folds over what brackets enclose: a tree of folds over tiles.
//
// A tile is what a workgroup of tiles.comp has, and is a node of height 0. Other nodes have 8
// children and the fold of theirs. A node that stops has a reset below it, and its fold is that of
// what comes before the first reset. Stopping folds are a monoid, too.
#ifndef VKPRIMS_STACK_FOLD_TREE_NODES_GLSL
#define VKPRIMS_STACK_FOLD_TREE_NODES_GLSL

#include "stack/stack_fold/stack_fold.glsl"

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

uint tile_count() { return tiles_of(vkp_read_count(push.count)); }

// Each node has the room of a BaseFold, whose link says whether the node stops.
Node load_node(uint i) {
  const BaseFold x = load_fold(vkp_u64(fold_push.folds), i);
  return Node(x.fold, x.link != 0u);
}
void store_node(uint i, Node x) {
  store_fold(vkp_u64(fold_push.folds), i, BaseFold(x.stops ? 1u : 0u, x.fold));
}

// The answers of stack_match: the close of each open. tiles.comp makes those of closes from NONE to
// their opens where these are in another tile.
uvec2 answer_at(const uint element) {
  return vkp_add64(vkp_u64(push.close_of), vkp_mul64(element, 4u));
}

// A tile has as many pairs of masks as blocks. In the first word are the opens whose folds go on
// behind the tile, and in the second the closes without an open in it. The former are mostly near
// the end of a tile and the latter near its beginning, so neighbours are in different masks: bit b
// of mask m is the symbol at place b * tile_blocks + m.
uvec2 masks_at(const uint mask) { return vkp_add64(vkp_u64(push.depth), vkp_mul64(mask, 8u)); }

#endif

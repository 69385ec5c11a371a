// Blocks are neighbouring elements that a workgroup has together, each invocation a run of them, in
// the order of subgroups and lanes. Each subgroup has a stage of its own, so it need not wait for
// others.
#ifndef VKPRIMS_ROLLING_BLOCK_GLSL
#define VKPRIMS_ROLLING_BLOCK_GLSL

#extension GL_KHR_shader_subgroup_basic : require

#define ROLLING_STAGE_OF_SUBGROUP
#include "rolling/rolling/input.glsl"

// A block is `items` elements from `first` on of a sequence of n.
struct Block {
  uvec2 first;
  uint items;
  uvec2 n;
};

// Fetches the bits of items item_of(i) of a block. There are no branches, as loads are waited for
// where branches meet.
void fetch_ahead(Block block, out STAGED items[run_items]) {
  const Extent extent = extent_of(block.first, block.items, block.n);
  const uvec2 own = vkp_add64(block.first, item_of(0u));
  const uvec2 base = vkp_add64(vkp_u64(push.source.base), vkp_mul64(own, element_bytes));
  [[unroll]] for (uint i = 0u; i < run_items; ++i) {
    items[i] = no_bits();
    if (item_of(i) - extent.begin < extent.end - extent.begin) {
      items[i] = load_bits(base, i * item_stride());
    }
  }
}
// Does the same where the elements are waited for anyway.
void fetch_block(Block block, out STAGED items[run_items]) {
  const Extent extent = extent_of(block.first, block.items, block.n);
  const uint begin = item_of(0u) - gl_SubgroupInvocationID;
  if (begin < extent.begin || begin + run_items * item_stride() > extent.end) {
    fetch_ahead(block, items);
  } else {
    const uvec2 own = vkp_add64(block.first, item_of(0u));
    const uvec2 base = vkp_add64(vkp_u64(push.source.base), vkp_mul64(own, element_bytes));
    [[unroll]] for (uint i = 0u; i < run_items; ++i) items[i] = load_bits(base, i * item_stride());
  }
}

// Makes windows of the own run of a block that has been fetched; elements outside the block are
// the identity.
void place_block(Block block, STAGED items[run_items], out Window x[run_items]) {
  const uvec2 end = vkp_add64(block.first, block.items);
  const uvec2 n = (end.y & 0x80000000u) != 0u ? uvec2(0u) : vkp_min64(block.n, end);
  stage_barrier();
  [[unroll]] for (uint i = 0u; i < run_items; ++i) put_staged(item_place(i), items[i]);
  stage_barrier();
  const uint own = own_run() * run_items;
  const uvec2 begin = vkp_add64(block.first, own);
  const Marks marks = marks_of(begin, n);
  [[unroll]] for (uint k = 0u; k < run_items; ++k) {
    x[k] = window_of(staged_at(place_of(own) + k), begin, k, marks);
  }
}

Window fold_run(Window x[run_items]) {
  Window fold = x[0];
  [[unroll]] for (uint k = 1u; k < run_items; ++k) fold = vkp_combine(fold, x[k]);
  return fold;
}

#endif

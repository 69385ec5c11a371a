// The folds of blocks, and of the heads of blocks, from which double.comp makes the middles of long
// windows. This is the first of the dispatches for middles. A workgroup has a block; the last
// workgroup also has what is left behind its block.
// %VARIANT% WINDOW word|f32|count_word|count_f32|arg_word|var_f32|pair|f64|count_pair|count_f64|arg_pair|var_f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rolling/rolling/monoids.glsl"

layout(push_constant) uniform Push { RollingFoldPush push; };

#include "rolling/rolling/block.glsl"
#include "vkprims/workgroup/workgroup.glsl"

void main() {
  const uvec2 n = vkp_read_count(push.source.count);
  const uint group = vkp_group_index();
  if (!vkp_less64(vkp_mul64(group, push.block_items), n)) return;
  const bool last = !vkp_less64(vkp_mul64(group + 1u, push.block_items), n);
  for (uint number = group; number <= group + (last ? 1u : 0u); ++number) {
    const uvec2 first = vkp_add64(vkp_mul64(number, push.block_items), vkp_u64(push.first));
    const Block block = Block(first, push.block_items, n);
    STAGED items[run_items];
    fetch_block(block, items);
    Window head = vkp_identity(), fold = vkp_identity();
#if COUNTED
    Window x[run_items];
    place_block(block, items, x);
    [[unroll]] for (uint k = 0u; k < run_items; ++k) {
      fold = vkp_combine(fold, x[k]);
      if (own_run() * run_items + k < push.head_items) head = fold;
    }
#else
    // Sums and minima need no order.
    [[unroll]] for (uint k = 0u; k < run_items; ++k) {
      Window x;
      x.value = value_of_bits(items[k]);
      fold = vkp_combine(fold, x);
      if (item_of(k) < push.head_items) head = fold;
    }
#endif
    head = vkp_fold_subgroups(vkp_subgroup_fold(head));
    fold = vkp_fold_subgroups(vkp_subgroup_fold(fold));
    if (gl_LocalInvocationIndex == 0u) {
      vkp_store_element(vkp_add64(vkp_u64(push.folds), vkp_mul64(number, VKP_BYTES)), 0u, fold);
      vkp_store_element(vkp_add64(vkp_u64(push.heads), vkp_mul64(number, VKP_BYTES)), 0u, head);
    }
  }
}

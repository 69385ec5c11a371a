// Makes the base folds of tiles reach twice as far. There are as many of these dispatches of
// stack_fold, behind links.comp, as the number of groups has bits: each link leads to an earlier
// group.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/stack_fold.glsl"

void main() {
  const uint tile = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (tile >= tiles_of(item_count())) return;
  BaseFold x = load_fold(vkp_u64(fold_push.folds), tile);
  if (x.link != NONE) {
    const BaseFold below = load_fold(vkp_u64(fold_push.folds), x.link);
    x = BaseFold(below.link, vkp_combine(below.fold, x.fold));
  }
  store_fold(vkp_u64(fold_push.next), tile, x);
}

// Stores in `out` the folds of items whose stack in the tile is empty. This dispatch of stack_fold
// comes behind jump.comp.
//
// Folds of survivors are read from `out` here, too. Only the first survivor of a tile can be such
// an item as well; survivors_upto() reads its value elsewhere.
// %UNROLL% driver
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "stack/stack_fold/stack_fold.glsl"
#include "stack/stack_match/pending.glsl"

uint levels_down(uint entry) { return 1u + pending_closes(entry); }

void answer(uvec2 element, uint entry, bool nothing, Found f, uvec2 level) {
  VKP_T x = vkp_identity();
  if (!nothing) {
    x = vkp_combine(load_fold(vkp_u64(fold_push.folds), f.tile).fold, survivors_upto(f, level));
  }
  store_out(element, x);
}

void main() {
  const uint tiles = tiles_of(item_count());
  const uint tile = vkp_group_index();
  if (tile < tiles) answer_pending(tiles, tile);
}

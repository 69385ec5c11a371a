// The base fold of each tile, as far back as its group of tiles begins. This dispatch of stack_fold
// comes behind slices.comp and tree.comp of stack_match, with a workgroup for each group.
//
// The open below the first survivor of a tile is a survivor of an earlier tile, which has a base
// fold of its own: these links make a forest. Each round doubles how far links reach, so there are
// as many rounds as the group's size has bits.
// %UNROLL% driver
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/stack_fold.glsl"

shared uint group_links[gl_WorkGroupSize.x];
shared uint group_folds[VKP_WORDS * gl_WorkGroupSize.x];

BaseFold link_of(uint tiles, uint tile) {
  const BaseFold nothing = BaseFold(NONE, vkp_identity());
  if (tile >= tiles) return nothing;
  const Effect e = load_effect(tile);
  const Place p = load_place(tile);
  const uvec2 level = level_minus(p.base, 1u);
  if (survivors_of(e) == 0u || e.resets || level_below(level, p.floor)) return nothing;
  const Found f = find(tiles, tile, level);
  return BaseFold(f.tile, survivors_upto(f, level));
}

void main() {
  const uint tiles = tiles_of(item_count());
  const uint first = vkp_group_index() * gl_WorkGroupSize.x;
  if (first >= tiles) return;
  const uint own = gl_LocalInvocationIndex;
  BaseFold x = link_of(tiles, first + own);
  const uint own_tiles = min(tiles - first, gl_WorkGroupSize.x);
  for (uint reach = 1u; reach < own_tiles; reach *= 2u) {
    uint w[VKP_WORDS];
    vkp_pack(x.fold, w);
    group_links[own] = x.link;
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
      group_folds[i * gl_WorkGroupSize.x + own] = w[i];
    }
    barrier();
    if (x.link != NONE && x.link >= first) {
      const uint to = x.link - first;
      [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
        w[i] = group_folds[i * gl_WorkGroupSize.x + to];
      }
      x = BaseFold(group_links[to], vkp_combine(vkp_unpack(w), x.fold));
    }
    barrier();
  }
  if (first + own < tiles) store_fold(vkp_u64(fold_push.folds), first + own, x);
}

// Finds what groups of tiles do to the stack, where there is more than one group. This is a
// dispatch of stack_match between tiles.comp and tree.comp, with a workgroup per group.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/stack_match.glsl"
#include "stack/stack_match/floors.glsl"

void main() {
  const uint tiles = tiles_of(item_count());
  const uint group = vkp_group_index();
  if (group >= groups_of(tiles)) return;
  Run run = vkp_identity();
  for (uint i = 0u; i < VKP_STACK_GROUP; i += gl_WorkGroupSize.x) {
    const uint tile = group * VKP_STACK_GROUP + i + invocation();
    Run own = vkp_identity();
    if (tile < tiles) {
      const Effect e = load_effect(tile);
      own = Run(e.change, e.floor, e.resets);
    }
    run = vkp_combine(run, vkp_fold_subgroups(vkp_subgroup_fold(own)));
  }
  if (invocation() == 0u) {
    VkpWords4(group_at(group)).v[0] =
        uvec4(uint(run.change), uint(run.floor), run.resets ? 1u : 0u, 0u);
  }
}

// Goes over the pending items of a tile with the whole workgroup, and looks for the open at the
// level of each.
//
// The includer defines:
// - uint levels_down(uint entry): how far the level of an item is below the one that the tile
//   begins at; this does not fall along the list.
// - void answer(uvec2 element, uint entry, bool nothing, Found f, uvec2 level): takes what is found
//   for an item; `nothing` says that the stack has no such level.
#ifndef VKPRIMS_STACK_MATCH_PENDING_GLSL
#define VKPRIMS_STACK_MATCH_PENDING_GLSL

#extension GL_KHR_shader_subgroup_shuffle : require

#include "stack/stack_match/search.glsl"

uint levels_down(uint entry);
void answer(uvec2 element, uint entry, bool nothing, Found f, uvec2 level);

void answer_pending(uint tiles, uint tile) {
  const uvec2 list = list_of(tile);
  const uint last = list_words() - 1u;
  // This is loaded before it is known whether there is such an entry.
  uint entry = VkpWords(list).v[last - invocation()];
  const uint pending = load_effect(tile).pending;
  const Place p = load_place(tile);
  const bool many = pending > tile_items() / 4u;
  // The subgroup finds this together; levels only fall, so it may serve more than one turn.
  Found together = Found(0u, NO_LEVEL);
  for (uint i = invocation(); i - gl_SubgroupInvocationID < pending; i += gl_WorkGroupSize.x) {
    if (i != invocation() && i < pending) entry = VkpWords(list).v[last - i];
    const uvec2 level = level_minus(p.begin, levels_down(entry));
    const bool nothing = level_below(level, p.floor);
    if (many) {
      const uvec2 first = uvec2(subgroupShuffle(level.x, 0u),
                                level_words == 1u ? 0u : subgroupShuffle(level.y, 0u));
      if (level_below(first, together.base) && !level_below(first, p.floor)) {
        together = find(tiles, tile, first);
      }
    }
    if (i >= pending) continue;
    Found f = together;
    if (!nothing && level_below(level, f.base)) f = find(tiles, tile, level);
    answer(vkp_add64(tile_first(tile), pending_item(entry)), entry, nothing, f, level);
  }
}

#endif

// Second dispatch of compaction without look-back, or the only dispatch if there is a single tile:
// it moves the elements.
// %VARIANT% ITEM words1|words2|words4
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/compact/compact.glsl"
#include "vkprims/memory/elements.glsl"

void main() {
  const VkpSequence sequence = pushed_sequence();
  const uint tiles = vkp_tiles(sequence);
  const uint tile = vkp_group_index();
  const bool alone = push.portions_base.lo == 0u && push.portions_base.hi == 0u;
  uvec2 before = uvec2(0u);
  uvec2 all = uvec2(0u);
  if (!alone) {
    before = selected_before(push.portion);
    all = selected_before(push.portion + 1u);
    if (push.one_output != 0u) all = selected_before(push.portions);
    if (tile == 0u) write_count(vkp_add64(before, portion_words(push.portion).v[1]));
  }
  if (tile >= tiles) {
    if (alone) write_count(uvec2(0u));
    return;
  }
  const VkpSelection selection = vkp_select(sequence, tile);
  uint prefix = 0u;
  if (alone) {
    all = uvec2(vkp_selected(selection), 0u);
    write_count(all);
  } else {
    prefix = vkp_load_element(vkp_u64(push.tiles_base), tile);
  }
  vkp_place_tile(sequence, pushed_places(before, all), selection, tile, prefix, false);
}

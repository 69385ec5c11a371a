// Second dispatch of partition into three without look-back, or the only dispatch if there is a
// single tile: it moves the elements.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/partition_three/partition_three.glsl"
#include "vkprims/memory/elements.glsl"

void main() {
  const VkpSequence sequence = pushed_sequence();
  const uint tiles = vkp_tiles(sequence);
  const uint tile = vkp_group_index();
  const bool alone = push.portions_base.lo == 0u && push.portions_base.hi == 0u;
  Totals before = Totals(uvec2(0u), uvec2(0u));
  if (!alone) {
    before = chosen_before(push.portion);
    if (tile == 0u) write_counts(add(before, chosen_in_portion(push.portion)));
  }
  if (tile >= tiles) {
    if (alone) write_counts(before);
    return;
  }
  const Choice choice = choose(sequence, tile);
  uvec2 prefix = uvec2(0u);
  if (alone) {
    write_counts(add(before, chosen(choice)));
  } else {
    prefix = vkp_load_element(vkp_u64(push.tiles_base), tile);
  }
  place_tile(sequence, before, choice, tile, prefix, false);
}

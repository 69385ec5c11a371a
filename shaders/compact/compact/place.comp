// Second dispatch of compaction without look-back, which moves the elements; or the only dispatch
// of few tiles, where each workgroup finds by itself how many elements are selected before its own.
// %VARIANT% ITEM words1|words2|words4
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/compact/compact.glsl"
#include "vkprims/memory/elements.glsl"

layout(constant_id = VKP_COMPACT_SPEC_ALONE) const uint spec_alone = 0;
const bool alone = spec_alone != 0u;

void main() {
  const VkpSequence sequence = pushed_sequence();
  const uint tiles = vkp_tiles(sequence);
  const uint tile = vkp_group_index();
  uvec2 before = uvec2(0u);
  uvec2 all = uvec2(0u);
  if (!alone) {
    before = selected_before(push.portion);
    all = selected_before(push.portion + 1u);
    if (push.one_output != 0u) all = selected_before(push.portions);
    if (tile == 0u) write_count(vkp_add64(before, portion_words(push.portion).v[1]));
  }
  if (tile >= tiles) {
    if (alone && tile == 0u) write_count(uvec2(0u));
    return;
  }
  const VkpSelection selection = vkp_select(sequence, tile, alone ? tile * vkp_batches : 0u);
  uint prefix;
  if (alone) {
    prefix = vkp_scan_subgroups(vkp_sum_of_lanes(selection.earlier)).total;
    all = uvec2(prefix + vkp_selected(selection), 0u);
    if (tile == tiles - 1u) write_count(all);
  } else {
    prefix = vkp_load_element(vkp_u64(push.tiles_base), tile);
  }
  vkp_place_tile(sequence, pushed_places(before, all), selection, tile, prefix, false);
}

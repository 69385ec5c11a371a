// The tile of a workgroup, of those that merge_path.glsl cuts segments and their values into. Where
// there are many tiles, a dispatch before has found where they begin, with an invocation or a
// subgroup for each. Few tiles do without it: two subgroups of a workgroup search for where its
// tile begins and ends, at the same time, which takes less time than a dispatch. A tile that is
// alone has everything.
//
// Specialization: VKP_SEGMENTED_SPEC_TILES, and the constant of merge_path.glsl.
#ifndef VKPRIMS_MERGE_TILES_GLSL
#define VKPRIMS_MERGE_TILES_GLSL

#include "vkprims/device/merge_path.glsl"
#include "vkprims/workgroup/shared_words.glsl"

layout(constant_id = VKP_SEGMENTED_SPEC_TILES) const uint vkp_tiles = VKP_SEGMENTED_MANY_TILES;
const bool vkp_alone = vkp_tiles == VKP_SEGMENTED_ONE_TILE;

// The segments as the caller gives them: count + 1 offsets, of at most `value_count`.
struct VkpSegments {
  uvec2 offsets;
  VkpCount count;
  uvec2 value_count;
};

struct VkpMergeTile {
  uvec2 segment;  // the first segment that ends in the tile
  uvec2 value;    // the first value, counted from VkpOffsets::first
  uint ends;
  uint values;
};

shared uvec2 vkp_found_ends[2];

// Finds the number of ends before the tile `index`, and that before the next one.
void vkp_search_merge_ends(VkpMergeTiles tiles, VkpOffsets s, uint index, out uvec2 before,
                           out uvec2 upto) {
  const uvec2 items = vkp_merge_items(s);
  for (uint i = gl_SubgroupID; i < 2u; i += gl_NumSubgroups) {
    const uvec2 position = vkp_min64(vkp_merge_position(tiles, index + i), items);
    const uvec2 ends = vkp_ends_before_by_subgroup(s, position);
    vkp_store_shared_word(vkp_found_ends[i].x, ends.x);
    vkp_store_shared_word(vkp_found_ends[i].y, ends.y);
  }
  barrier();
  before = vkp_found_ends[0];
  upto = vkp_found_ends[1];
}

// Writes what vkp_segmented_starts() would have, as far as a later dispatch needs it. Each record
// is written by the workgroup whose tile begins there; the last tile's workgroup has one more.
void vkp_store_merge_starts(VkpMergeTiles tiles, uvec2 items, uint index, uvec2 before,
                            uvec2 upto) {
  if (gl_LocalInvocationIndex != 0u) return;
  if (index == 0u) {
    VkpWords(vkp_add64(tiles.scratch, VKP_SEGMENTED_FINISHED_OFFSET)).v[0] = 0u;
    vkp_store_merge_tiles(tiles, 0u, items);
  }
  if (!vkp_less64(vkp_merge_position(tiles, index), items)) return;
  VkpWords2(vkp_merge_record(tiles, index)).v[0] = before;
  if (vkp_less64(vkp_merge_position(tiles, index + 1u), items)) return;
  vkp_store_merge_tiles(tiles, index + 1u, items);
  VkpWords2(vkp_merge_record(tiles, index + 1u)).v[0] = upto;
}

// Finds the tile `index`, and of the segments what a tile needs, which is all but their number.
// Returns false if there is no such tile: there may be surplus workgroups.
bool vkp_find_merge_tile(VkpMergeTiles tiles, VkpSegments given, uint index, out VkpOffsets s,
                         out VkpMergeTile tile) {
  uvec2 items, before, upto;
  if (vkp_tiles == VKP_SEGMENTED_MANY_TILES) {
    // All loads are under way together. Surplus workgroups have no record of their own.
    const uvec2 scratch = tiles.scratch;
    items = VkpWords2(vkp_add64(scratch, VKP_SEGMENTED_ITEMS_OFFSET)).v[0];
    const uvec2 first = VkpWords2(vkp_add64(scratch, VKP_SEGMENTED_FIRST_OFFSET)).v[0];
    const uvec2 values = VkpWords2(vkp_add64(scratch, VKP_SEGMENTED_VALUES_OFFSET)).v[0];
    s = VkpOffsets(given.offsets, uvec2(0u), first, values);
    before = VkpWords2(vkp_merge_record(tiles, min(index, tiles.max_tiles))).v[0];
    upto = VkpWords2(vkp_merge_record(tiles, min(index + 1u, tiles.max_tiles))).v[0];
  } else {
    s = vkp_offsets(given.offsets, vkp_read_count(given.count), given.value_count);
    items = vkp_merge_items(s);
    before = uvec2(0u);
    upto = s.count;
    if (!vkp_alone) {
      vkp_search_merge_ends(tiles, s, index, before, upto);
      vkp_store_merge_starts(tiles, items, index, before, upto);
    }
  }
  const uvec2 begin = vkp_merge_position(tiles, index);
  const uvec2 end = vkp_min64(vkp_add64(begin, tiles.items), items);
  tile.segment = before;
  tile.value = vkp_sub64(begin, before);
  tile.ends = vkp_clamped_difference(upto, before, tiles.items);
  tile.values = vkp_clamped_difference(vkp_sub64(end, upto), tile.value, tiles.items);
  return vkp_less64(begin, items);
}

#endif

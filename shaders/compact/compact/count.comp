// First dispatch of compaction without look-back: finds how many elements are selected before each
// tile of a portion. Every workgroup counts one tile, and the one that finishes last scans the
// counts (last_group.glsl).
// %VARIANT% ITEM words1|words2|words4
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/compact/compact.glsl"
#include "vkprims/device/scan_folds.glsl"

void main() {
  const VkpSequence sequence = pushed_sequence();
  const uint tiles = vkp_tiles(sequence);
  const uint tile = vkp_group_index();
  if (tile >= tiles) return;  // the total of an empty portion stays 0
  const uint count = vkp_selected(vkp_select(sequence, tile, 0u));
  const uvec2 counts = vkp_u64(push.tiles_base);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(counts, tile, count);
  const uvec2 portion =
      vkp_add64(vkp_u64(push.portions_base), push.portion * VKP_COMPACT_PORTION_BYTES);
  if (!vkp_last_group(portion, tiles)) return;
  const uint total = vkp_scan_folds(counts, tiles, 0u);
  if (gl_LocalInvocationIndex == 0u) VkpSharedWords(portion).v[1] = total;
}

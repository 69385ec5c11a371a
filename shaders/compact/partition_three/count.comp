// First dispatch of partition into three without look-back: finds how many elements are in the
// first and second part before each tile of a portion. Every workgroup counts one tile, and the one
// that finishes last scans the numbers (last_group.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/partition_three/partition_three.glsl"
#include "vkprims/device/scan_folds.glsl"

void main() {
  const VkpSequence sequence = pushed_sequence();
  const uint tiles = vkp_tiles(sequence);
  const uint tile = vkp_group_index();
  if (tile >= tiles) return;  // the totals of an empty portion stay 0
  const uvec2 numbers = chosen(choose(sequence, tile));
  const uvec2 of_tiles = vkp_u64(push.tiles_base);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(of_tiles, tile, numbers);
  const uvec2 portion =
      vkp_add64(vkp_u64(push.portions_base), push.portion * VKP_PARTITION_THREE_PORTION_BYTES);
  if (!vkp_last_group(portion, tiles)) return;
  const uvec2 total = vkp_scan_folds(of_tiles, tiles, uvec2(0u));
  if (gl_LocalInvocationIndex == 0u) {
    VkpSharedWords(portion).v[1] = total.x;
    VkpSharedWords(portion).v[2] = total.y;
  }
}

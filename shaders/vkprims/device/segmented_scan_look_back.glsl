// Scans in segments in one dispatch by decoupled look-back (lookback.glsl), for any monoid over
// VKP_T. A tile is one strip of VKP_SCAN_SPEC_BATCHES batches for each subgroup. A tile with a head
// is closed, so walks end there.
#ifndef VKPRIMS_SEGMENTED_SCAN_LOOK_BACK_GLSL
#define VKPRIMS_SEGMENTED_SCAN_LOOK_BACK_GLSL

#define VKP_CLOSED_TILES
#include "vkprims/device/lookback.glsl"
#include "vkprims/workgroup/segmented_scan_strip.glsl"
#include "vkprims/device/head_count.glsl"

VkpSegments vkp_segments;  // read by vkp_fold_tile()

VKP_T vkp_seed() { return vkp_identity(); }  // the first tile has a head

VKP_T vkp_fold_tile(uint tile, out bool closed) {
  const VkpStrip strip = vkp_strip(vkp_segments.scan, tile, vkp_tile_batches);
  const VkpTail tail = vkp_fold_tails(strip, vkp_segments.initial, false).tails.total;
  closed = tail.closed;
  return tail.value;
}

// Does one workgroup's part: one tile, or nothing.
void vkp_segmented_scan_look_back(VkpSegments segments, VkpLookback lookback) {
  vkp_segments = segments;
  const uint batches = vkp_scan_batches(segments.scan);
  uint tiles = (batches + vkp_tile_batches - 1u) / vkp_tile_batches;
  tiles = max(tiles, vkp_total_wanted);  // a count of 0 has a number of heads, too
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const VkpStrip strip = vkp_strip(segments.scan, tile, vkp_tile_batches);
  const VkpFoldedTails folded =
      vkp_fold_tails(strip, segments.initial, vkp_total_wanted != 0u);
  const VkpTails tails = folded.tails;
  // While subgroup 0 looks back, the others load their first batch and scan it.
  VkpCell cells[vkp_rows];
  VKP_T before;
  VKP_T prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, tails.total.value, tails.total.closed);
  if (vkp_total_wanted != 0u) {
    // This is no part of the work in the loop, which may be done more than once.
    const uvec2 counters = vkp_add64(lookback.scratch, VKP_SEGMENTS_LOOK_BACK_COUNTERS);
    vkp_count_heads(segments.scan, counters, tiles, folded.count);
  }
  do {
    vkp_walk_on(lookback, walk);
    before = vkp_identity();
    vkp_scan_batch(strip, 0u, folded.heads, segments.initial, before, cells);
  } while (!vkp_prefix_known(walk, prefix));
  prefix = vkp_join(VkpTail(prefix, true), tails.before).value;
  vkp_scan_strip(strip, cells, folded.heads, segments.initial, before, prefix);
}

#endif

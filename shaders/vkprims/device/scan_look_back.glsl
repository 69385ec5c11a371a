// Scans in one dispatch by decoupled look-back (lookback.glsl), for any monoid over VKP_T. A tile
// is one strip of VKP_SCAN_SPEC_BATCHES batches for each subgroup.
#ifndef VKPRIMS_SCAN_LOOK_BACK_GLSL
#define VKPRIMS_SCAN_LOOK_BACK_GLSL

#include "vkprims/device/lookback.glsl"
#include "vkprims/workgroup/scan_tile.glsl"

VkpScan vkp_scan;  // read by vkp_fold_tile()

VKP_T vkp_fold_tile(const uint tile) {
  return vkp_fold_strips(vkp_strip(vkp_scan, tile, vkp_tile_batches)).total;
}

// Does one workgroup's part: one tile, or nothing. Needs vkp_seed(), which comes before the first
// element.
void vkp_scan_look_back(VkpScan scan, VkpLookback lookback) {
  vkp_scan = scan;
  uint tiles = (vkp_scan_batches(scan) + vkp_tile_batches - 1u) / vkp_tile_batches;
  tiles = max(tiles, vkp_total_wanted);  // a count of 0 has a total, too
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const VkpStrip strip = vkp_strip(scan, tile, vkp_tile_batches);
#ifdef VKP_SCANS_LANES
  // What comes before a lane is kept for each batch, so elements are combined only once more.
  VKP_T before[vkp_tile_batches];
  const VkpGroupScan folds = vkp_fold_strips(strip, before);
#else
  const VkpGroupScan folds = vkp_fold_strips(strip);
  VKP_T before;
#endif
  // While subgroup 0 looks back, the others load their first batch again, and scan it where it is
  // scanned by rows.
  VKP_CELLS cells;
  VKP_T prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, folds.total);
  do {
    vkp_walk_on(lookback, walk);
#ifdef VKP_SCANS_LANES
    vkp_load_lanes(strip, 0u, cells);
#else
    before = vkp_identity();
    vkp_scan_batch(strip, 0u, before, cells);
#endif
  } while (!vkp_prefix_known(walk, prefix));
  if (tile == tiles - 1u) vkp_store_total(scan, vkp_combine(prefix, folds.total));
  prefix = vkp_combine(prefix, folds.before);
#ifdef VKP_SCANS_LANES
  [[unroll]] for (uint batch = 0u; batch < vkp_tile_batches; ++batch) {
    if (batch != 0u) vkp_load_lanes(strip, batch, cells);
    cells.before = vkp_combine(prefix, before[batch]);
    vkp_store_lanes(strip, batch, cells);
  }
#else
  vkp_prefix_cells(prefix, cells);
  vkp_scan_strip(strip, 1u, cells, vkp_combine(prefix, before));
#endif
}

#endif

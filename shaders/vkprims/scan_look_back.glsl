// Scan in one dispatch by decoupled look-back (lookback.glsl), for any monoid over VKP_T.
#ifndef VKPRIMS_SCAN_LOOK_BACK_GLSL
#define VKPRIMS_SCAN_LOOK_BACK_GLSL

#include "lookback.glsl"
#include "scan_tile.glsl"

VkpScan vkp_scan;  // for vkp_fold_tile

VKP_T vkp_fold_tile(uint tile) { return vkp_fold_tiles(vkp_scan, tile, 1u); }

// One workgroup's part: one tile, or nothing. `seed` comes before the first element.
void vkp_scan_look_back(VkpScan scan, VkpLookback lookback, VKP_T seed) {
  vkp_scan = scan;
  const uint tile = vkp_take_tile(lookback, vkp_scan_tiles(scan));
  if (tile == VKP_NO_TILE) return;
  const VkpItems items = vkp_scan_items(scan, tile, 1u);
  vkp_load_tile(items);
  barrier();
  const VkpGroupScan group = vkp_scan_workgroup(vkp_fold_parked());
  const VKP_T prefix = vkp_look_back(lookback, tile, group.total, seed);
  vkp_scan_parked(vkp_combine(prefix, group.before));
  barrier();
  vkp_store_tile(scan, tile, items);
}

#endif

// The scan of a tile, by the file that suits the elements: rows of one or two words
// (scan_strip.glsl), or lanes (scan_lanes.glsl).
#ifndef VKPRIMS_SCAN_TILE_GLSL
#define VKPRIMS_SCAN_TILE_GLSL

#include "vkprims/core.glsl"
#include "vkprims/device/scan.h"

layout(constant_id = VKP_SCAN_SPEC_BATCHES) const uint vkp_tile_batches = 1;  // for look-back

#if defined(VKPRIMS_SCAN_STRIP_GLSL)
// Scans in segments have rows, whatever their elements.
#elif defined(VKP_IN) || defined(VKP_OUT) || VKP_WORDS > 2
#include "vkprims/workgroup/scan_lanes.glsl"
#else
#include "vkprims/workgroup/scan_strip.glsl"
#endif

layout(constant_id = VKP_SCAN_SPEC_TOTAL) const uint vkp_total_wanted = 0;

// Stores the fold of the seed and all elements, if it is wanted. Only one workgroup calls this.
void vkp_store_total(const VkpScan scan, const VKP_T total) {
  const bool is_wanted = scan.total != uvec2(0u);
  const bool stores = gl_LocalInvocationIndex < vkp_total_wanted;
  if (is_wanted && stores) vkp_store_element(scan.total, 0u, total);
}

#endif

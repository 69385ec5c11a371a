// Functions that the kernels of segmented_scan and scan_by_key share: they interpret the push
// constants.
#include "scan/segmented_scan/segmented_scan.abi.h"
#include "vkprims/ops.glsl"
#ifndef VKP_OWN_MONOID
// Inputs of 1 or 2 bytes are not offered, so the constant is 0. It changes nothing but how NVIDIA's
// compiler arranges the code, which is faster with it here (docs/measurements.md).
#define VKP_ITEM_BYTES_CONSTANT VKP_SCAN_SPEC_ITEM_BYTES
#endif
#include "vkprims/workgroup/heads.glsl"
#include "vkprims/workgroup/segmented_scan_strip.glsl"

layout(push_constant) uniform Push { SegmentedScanPush push; };

uint vkp_heads(VkpStrip strip, uint batch) {
  return vkp_heads_of(vkp_u64(push.heads), strip, batch);
}

// The initial value is combined with the identity so that a NaN does not stay the minimum or
// maximum of what follows.
VkpSegments pushed_segments() {
  VKP_T initial = vkp_identity();
  if (push.has_initial != 0u) initial = vkp_combine(initial, vkp_read_value(push.initial));
  return VkpSegments(
      VkpScan(vkp_u64(push.in_base), vkp_u64(push.out_base), vkp_read_count(push.count),
              vkp_u64(push.head_count)), initial);
}


// Functions that the kernels of scan share: they interpret the push constants.
#include "scan/scan/scan.abi.h"
#include "vkprims/ops.glsl"
#if defined(VKP_T_u32) || defined(VKP_T_u64)
// The input may be of unsigned integers of 1 or 2 bytes.
#define VKP_ITEM_BYTES_CONSTANT VKP_SCAN_SPEC_ITEM_BYTES
#elif defined(VKP_T_f64) && defined(VKP_STATE_word64)
// It may not, so the constant is 0. It changes nothing but how NVIDIA's compiler arranges the code,
// which is faster with it on an H200 (docs/measurements.md).
#define VKP_ITEM_BYTES_CONSTANT VKP_SCAN_SPEC_ITEM_BYTES
#endif
#include "vkprims/workgroup/scan_tile.glsl"

layout(push_constant) uniform Push { ScanPush push; };

VkpScan pushed_scan() {
  return VkpScan(vkp_u64(push.in_base), vkp_u64(push.out_base), vkp_read_count(push.count),
                 vkp_u64(push.total));
}

// The initial value is combined with the identity so that a NaN does not stay the minimum or
// maximum of what follows.
VKP_T pushed_seed() {
  VKP_T seed = vkp_identity();
  if (push.has_initial != 0u) seed = vkp_combine(seed, vkp_read_value(push.initial));
  return seed;
}

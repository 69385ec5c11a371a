// The kernels monoid_scan_*.comp share this file: the monoid, through the public contract of
// vkprims/, and the push constants.
#include "vkprims/core.glsl"
#include "scan/scan/scan.abi.h"

#if defined(VKP_MONOID_bicyclic)
#include "monoids/bicyclic.glsl"
#elif defined(VKP_MONOID_affine)
#include "monoids/affine.glsl"
#elif defined(VKP_MONOID_count)
#include "monoids/count.glsl"
#elif defined(VKP_MONOID_wide)
#include "monoids/wide.glsl"
#else
#include "monoids/illegal.glsl"
#endif
#include "vkprims/workgroup/scan_strip.glsl"

layout(push_constant) uniform Push { ScanPush push; };

VkpScan pushed_scan() {
  return VkpScan(vkp_u64(push.in_base), vkp_u64(push.out_base), vkp_read_count(push.count),
                 vkp_u64(push.total));
}

VKP_T pushed_seed() {
  VKP_T seed = vkp_identity();
  if (push.has_initial != 0u) seed = vkp_read_value(push.initial);
  return seed;
}

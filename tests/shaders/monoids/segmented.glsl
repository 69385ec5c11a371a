// The kernels monoid_segmented_*.comp share this file: the monoid, through the public contract of
// vkprims/, and the push constants.
#include "vkprims/core.glsl"
#include "reduce/segmented_reduce/segmented_reduce.abi.h"

#if defined(VKP_MONOID_bicyclic)
#include "monoids/bicyclic.glsl"
#elif defined(VKP_MONOID_wide)
#include "monoids/wide.glsl"
#else
#include "monoids/illegal.glsl"
#endif
#include "vkprims/device/segmented_reduce.glsl"

layout(push_constant) uniform Push { SegmentedReducePush push; };

VkpSegmented pushed_work() {
  return VkpSegmented(vkp_u64(push.value_base), vkp_u64(push.scratch), push.max_tiles);
}

void vkp_finish(const uvec2 segment, const VKP_T total) {
  vkp_store_element(vkp_add64(vkp_u64(push.out_base), vkp_mul64(segment, VKP_BYTES)), 0u, total);
}

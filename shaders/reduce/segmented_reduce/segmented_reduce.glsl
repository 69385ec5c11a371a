// Functions that the kernels of segmented_reduce share: they interpret the push constants.
#include "reduce/segmented_reduce/segmented_reduce.abi.h"
#include "vkprims/ops.glsl"
#include "vkprims/device/segmented_reduce.glsl"

layout(push_constant) uniform Push { SegmentedReducePush push; };

VkpSegmented pushed_work() {
  return VkpSegmented(vkp_u64(push.value_base), vkp_u64(push.scratch), push.max_tiles);
}

// The result is combined with the identity so that a fold that is NaN is not the minimum or
// maximum.
void vkp_finish(const uvec2 segment, const VKP_T total) {
  VKP_T seed = vkp_identity();
  if (push.has_initial != 0u) seed = vkp_combine(seed, vkp_read_value(push.initial));
  const uvec2 address = vkp_add64(vkp_u64(push.out_base), vkp_mul64(segment, VKP_BYTES));
  vkp_store_element(address, 0u, vkp_combine(seed, total));
}

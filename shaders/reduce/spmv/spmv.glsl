// Functions that the kernels of spmv share: they interpret the push constants. Segments are rows,
// and their values are products.
#include "reduce/spmv/spmv.abi.h"
#define VKP_OWN_VALUES
#include "vkprims/memory/report.glsl"
#include "vkprims/types.glsl"

VKP_T vkp_identity() { return VKP_T(0); }
VKP_T vkp_combine(const VKP_T left, const VKP_T right) {
  precise const VKP_T sum = left + right;
  return sum;
}
#include "vkprims/device/segmented_reduce.glsl"

// vkprims::OutOfRange
layout(constant_id = VKP_SPMV_SPEC_OUT_OF_RANGE) const uint out_of_range = 0;
const uint unchecked = 0;
const uint skip = 1;

layout(push_constant) uniform Push { SpmvPush push; };

VkpSegmented pushed_work() {
  return VkpSegmented(vkp_u64(push.value_base), vkp_u64(push.scratch), push.max_tiles);
}

// Stores alpha * total + beta * y. Where beta is 0, y is not read, and where alpha is 0, the total
// does not count: they may be anything.
void vkp_finish(const uvec2 row, const VKP_T total) {
  const uvec2 address = vkp_add64(vkp_u64(push.y_base), vkp_mul64(row, VKP_BYTES));
  const VKP_T beta = vkp_read_value(push.beta);
  const VKP_T alpha = vkp_read_value(push.alpha);
  VKP_T y = VKP_T(0);
  if (alpha != VKP_T(0)) y = alpha * total;
  if (beta != VKP_T(0)) y += beta * vkp_load_element(address, 0u);
  vkp_store_element(address, 0u, y);
}

// Reduce with the built-in types and operators; the algorithm is in vkprims/reduce.glsl.
// %VARIANT% T u32|i32|f32||u64|i64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/ops.glsl"
#include "vkprims/reduce.glsl"
#include "reduce.abi.h"

layout(push_constant) uniform Push { ReducePush push; };

void main() {
  VkpReduce work;
  work.in_base = uvec2(push.in_lo, push.in_hi);
  work.count = vkp_read_count(uvec2(push.count_lo, push.count_hi),
                              uvec2(push.count_address_lo, push.count_address_hi),
                              push.count_is_u64 != 0u);
  work.max_groups = push.max_groups;
  work.scratch = uvec2(push.scratch_lo, push.scratch_hi);

  VKP_T total;
  if (!vkp_reduce(work, total)) return;
  if (push.has_initial != 0u) {
    const VKP_T initial = vkp_read_value(uvec2(push.initial_address_lo, push.initial_address_hi),
                                         push.initial_lo, push.initial_hi);
    total = vkp_combine(initial, total);
  }
  vkp_store_element(uvec2(push.out_lo, push.out_hi), 0u, total);
}

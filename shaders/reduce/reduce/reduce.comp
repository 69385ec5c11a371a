// Reduce with the built-in types and operators; the algorithm is in vkprims/device/reduce.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/ops.glsl"
#include "vkprims/device/reduce.glsl"
#include "reduce/reduce/reduce.abi.h"

layout(push_constant) uniform Push { ReducePush push; };

void main() {
  VkpReduce work;
  work.in_base = vkp_u64(push.in_base);
  work.count = vkp_read_count(push.count);
  work.max_groups = push.max_groups;
  work.scratch = vkp_u64(push.scratch);

  VKP_T total;
  if (!vkp_reduce(work, total)) return;
  if (push.has_initial != 0u) {
    const VKP_T initial = vkp_read_value(push.initial);
    total = vkp_combine(initial, total);
  }
  vkp_store_element(vkp_u64(push.out_base), 0u, total);
}

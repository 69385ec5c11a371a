// Reduce with the built-in types and operators; the algorithm is in vkprims/device/reduce.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/ops.glsl"
#include "vkprims/device/reduce.glsl"
#include "reduce/reduce/reduce.abi.h"

layout(push_constant) uniform Push {
  ReducePush push;
#ifdef VKP_ARGUMENTS
  ReduceArguments pushed;
#endif
};

#ifdef VKP_ARGUMENTS
VKP_ARGUMENTS pushed_arguments() {
  uint w[VKP_ARGUMENT_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_ARGUMENT_WORDS; ++i) w[i] = pushed.words[i];
  if (pushed.at_address != 0u) {
    const uvec2 address = uvec2(pushed.words[0], pushed.words[1]);
    [[unroll]] for (uint i = 0u; i < VKP_ARGUMENT_WORDS; ++i) w[i] = VkpWords(address).v[i];
  }
  return vkp_unpack_arguments(w);
}
#endif

void main() {
#ifdef VKP_ARGUMENTS
  vkp_arguments = pushed_arguments();
#endif
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

/* Push constants of arg_reduce.comp. Its specialization and scratch are in
   vkprims/device/reduce.h. */
#ifndef VKPRIMS_ARG_REDUCE_ABI_H
#define VKPRIMS_ARG_REDUCE_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/reduce.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ArgReducePush {
  VkpU64 in_base, index_base, value_base, scratch; /* value_base 0: not wanted */
  VkpCount count;
  uint max_groups; /* workgroups that may share the work */
};

/* Each workgroup leaves in scratch a key of the element's size, and a 64-bit index. */
#define VKP_ARG_REDUCE_RESULT_BYTES(element_bytes) ((element_bytes) + 8)

#ifdef __cplusplus
static_assert(sizeof(ArgReducePush) == 56);
}
#endif
#endif

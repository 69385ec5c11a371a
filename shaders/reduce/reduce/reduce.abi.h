/* Push constants of reduce.comp. Its specialization and scratch are in vkprims/device/reduce.h. */
#ifndef VKPRIMS_REDUCE_ABI_H
#define VKPRIMS_REDUCE_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/reduce.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ReducePush {
  VkpU64 in_base, out_base, scratch;
  VkpCount count;
  uint max_groups; /* workgroups that may share the work */
  uint has_initial; /* 1: combine the initial value on the left */
  VkpElement initial;
};

#ifdef __cplusplus
static_assert(sizeof(ReducePush) == 92);
}
#endif
#endif

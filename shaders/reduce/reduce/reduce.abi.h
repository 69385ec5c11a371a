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

/* What follows in the kernel of a monoid whose vkp_load() gets something for all elements. */
struct ReduceArguments {
  uint at_address; /* 1: the first two words say where the arguments lie */
  uint words[8];
};

#ifdef __cplusplus
struct ReducePushWithArguments {
  ReducePush push;
  ReduceArguments arguments;
};

static_assert(sizeof(ReducePush) == 92);
static_assert(sizeof(ReducePushWithArguments) == 128);
}
#endif
#endif

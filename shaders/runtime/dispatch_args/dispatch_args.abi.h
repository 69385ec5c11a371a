/* Push constants of dispatch_args.comp. */
#ifndef VKPRIMS_DISPATCH_ARGS_ABI_H
#define VKPRIMS_DISPATCH_ARGS_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct DispatchArgsPush {
  VkpU64 args;    /* VkDispatchIndirectCommand */
  VkpCount count; /* of the first command */
  /* Items that are left to other dispatches: the grid is for the items behind them. */
  VkpU64 first;
  VkpU64 items;   /* items per group */
  VkpU64 inverse; /* floor((2^64 - 1) / items) */
  /* Least number of groups: 0, or 1 for kernels that have something to do for a count of 0. */
  uint least;
  uint commands; /* one behind the other, as their counts are */
};

#ifdef __cplusplus
static_assert(sizeof(DispatchArgsPush) == 60);
}
#endif
#endif

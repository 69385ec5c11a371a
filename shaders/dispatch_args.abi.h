/* Push constants of dispatch_args.comp. */
#ifndef VKPRIMS_DISPATCH_ARGS_ABI_H
#define VKPRIMS_DISPATCH_ARGS_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct DispatchArgsPush {
  VkpU64 args; /* VkDispatchIndirectCommand */
  VkpCount count;
  VkpU64 items; /* per group */
};

#ifdef __cplusplus
static_assert(sizeof(DispatchArgsPush) == 36);
}
#endif
#endif

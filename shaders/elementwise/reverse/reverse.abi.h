/* Push constants of both kernels of reverse. */
#ifndef VKPRIMS_REVERSE_ABI_H
#define VKPRIMS_REVERSE_ABI_H

#include "vkprims/push.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ReversePush {
  VkpU64 in_base, out_base; /* the same one in place */
  VkpCount count;
  uint element_bytes;
};

#ifdef __cplusplus
static_assert(sizeof(ReversePush) == 40);
}
#endif
#endif

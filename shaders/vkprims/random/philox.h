/* Where random numbers come from, as push constants: vkprims::Rng. */
#ifndef VKPRIMS_PHILOX_H
#define VKPRIMS_PHILOX_H

#include "vkprims/push.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct VkpRngPush {
  VkpU64 seed; /* used if there is no state */
  VkpU64 offset, stream;
  VkpU64 state; /* 0: none; else its address: a seed, and what is added to the offset */
};

#ifdef __cplusplus
}
#endif
#endif

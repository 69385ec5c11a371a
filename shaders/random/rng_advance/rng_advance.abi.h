/* Push constants of rng_advance.comp. */
#ifndef VKPRIMS_RNG_ADVANCE_ABI_H
#define VKPRIMS_RNG_ADVANCE_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct RngAdvancePush {
  VkpU64 state; /* vkprims::DeviceRngState */
  VkpU64 offset;
  VkpCount draws;
  uint block_draws; /* log2 of the draws that share a block of 4 words */
};

#ifdef __cplusplus
static_assert(sizeof(RngAdvancePush) == 40);
}
#endif
#endif

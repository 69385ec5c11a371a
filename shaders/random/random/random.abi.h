/* Push constants and specialization of the kernels in random. */
#ifndef VKPRIMS_RANDOM_ABI_H
#define VKPRIMS_RANDOM_ABI_H

#include "vkprims/random/philox.h"
#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_RANDOM_SPEC_ROUNDS VKP_SPEC_FIRST_OWN
#define VKP_RANDOM_SPEC_DRAW_BITS (VKP_SPEC_FIRST_OWN + 1) /* bits of a draw: 32 or 16 */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct RandomPush {
  VkpU64 out_base;
  VkpCount count;
  VkpRngPush rng;
  uint element_bytes;
  /* uniform: lower and upper - lower, which is 0 for 2^32 with integers; normal: mean and standard
     deviation */
  VkpU64 offset, scale;
  uint threshold;       /* draws from here on are ones */
  uint ones;            /* mask of the ones; 0: there are none */
  uint zero;            /* 0, unknown to the compiler */
};

#ifdef __cplusplus
static_assert(sizeof(RandomPush) == 92);
}
#endif
#endif

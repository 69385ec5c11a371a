/* Push constants of fill_scratch.comp. */
#ifndef VKPRIMS_FILL_SCRATCH_ABI_H
#define VKPRIMS_FILL_SCRATCH_ABI_H

#include "vkprims/push.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct FillScratchPush {
  VkpU64 base;
  uint words;
  uint word;
};

#ifdef __cplusplus
static_assert(sizeof(FillScratchPush) == 16);
}
#endif
#endif

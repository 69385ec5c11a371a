/* The scalars of strings/slice/slice.comp, for positions of each row, and of
   strings/slice/step.comp. */
#ifndef VKPRIMS_STRINGS_SLICE_ABI_H
#define VKPRIMS_STRINGS_SLICE_ABI_H

#include "vkprims/push.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SlicePositions {
  VkpU64 starts, stops; /* addresses of an int for each row; 0: that of the arguments */
  int step;
};

#ifdef __cplusplus
static_assert(sizeof(SlicePositions) == 20);
}
#endif
#endif

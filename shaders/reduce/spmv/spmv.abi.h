/* Push constants of the kernels in spmv/. The scratch is that of
   vkprims/device/segmented_reduce.h. */
#ifndef VKPRIMS_SPMV_ABI_H
#define VKPRIMS_SPMV_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/segmented_reduce.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SpmvPush {
  /* report is 0 where it is not wanted. */
  VkpU64 value_base, column_base, offset_base, x_base, y_base, report, scratch;
  VkpCount count;     /* rows */
  VkpU64 value_count; /* nonzeros that offsets may point to */
  VkpU64 x_count;     /* columns */
  uint max_tiles;
  VkpValue alpha, beta;
};

/* vkprims::OutOfRange, except fill. */
#define VKP_SPMV_SPEC_OUT_OF_RANGE VKP_SEGMENTED_SPEC_FIRST_OWN

#ifdef __cplusplus
static_assert(sizeof(SpmvPush) == 128);
}
#endif
#endif

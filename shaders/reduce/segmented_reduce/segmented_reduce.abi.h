/* Push constants of the kernels in segmented_reduce/. Their specialization and scratch are in
   vkprims/device/segmented_reduce.h. */
#ifndef VKPRIMS_SEGMENTED_REDUCE_ABI_H
#define VKPRIMS_SEGMENTED_REDUCE_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/segmented_reduce.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SegmentedReducePush {
  VkpU64 value_base, offset_base, out_base, scratch;
  VkpCount count;     /* segments */
  VkpU64 value_count; /* values that offsets may point to */
  uint max_tiles;
  uint has_initial; /* 1: combine the initial value on the left */
  VkpElement initial;
};

#ifdef __cplusplus
static_assert(sizeof(SegmentedReducePush) == 108);
}
#endif
#endif

/* Push constants of segmented_starts.comp. Its specialization and scratch are in
   vkprims/device/segmented_reduce.h. */
#ifndef VKPRIMS_SEGMENTED_STARTS_ABI_H
#define VKPRIMS_SEGMENTED_STARTS_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/segmented_reduce.h"

#define VKP_SEGMENTED_STARTS_SPEC_BY_SUBGROUP VKP_SEGMENTED_SPEC_FIRST_OWN

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SegmentedStartsPush {
  VkpU64 offset_base, scratch;
  VkpCount count;     /* segments */
  VkpU64 value_count; /* values that offsets may point to */
  uint max_tiles, tile_items, record_bytes;
};

#ifdef __cplusplus
static_assert(sizeof(SegmentedStartsPush) == 56);
}
#endif
#endif

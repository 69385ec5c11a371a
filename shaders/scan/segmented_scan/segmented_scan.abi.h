/* Push constants of the kernels in segmented_scan/; scan_by_key uses all of them except the one for
   offsets. Their specialization and scratch are in vkprims/device/segmented_scan.h. */
#ifndef VKPRIMS_SEGMENTED_SCAN_ABI_H
#define VKPRIMS_SEGMENTED_SCAN_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/segmented_scan.h"

/* The words of an offset, 1 or 2, for offsets.comp. */
#define VKP_SEGMENTED_SCAN_SPEC_OFFSET_WORDS (VKP_SPEC_FIRST_OWN + 0)

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SegmentedScanPush {
  VkpU64 in_base, out_base, scratch;
  VkpU64 heads; /* keys, bytes or bits */
  VkpU64 head_count; /* where the number of heads goes, or 0 */
  VkpCount count;
  uint max_parts; /* workgroups of the multi-pass schedule */
  uint has_initial; /* 1: the initial value comes before each segment */
  VkpElement initial;
};

struct SegmentedScanOffsetsPush {
  VkpU64 offsets, bits;
  VkpCount segments; /* one less than offsets */
  VkpCount count;    /* elements */
};

#ifdef __cplusplus
static_assert(sizeof(SegmentedScanPush) == 108);
static_assert(sizeof(SegmentedScanOffsetsPush) == 56);
}
#endif
#endif

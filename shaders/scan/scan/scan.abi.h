/* Push constants of the kernels in scan/. Their specialization and scratch are in
   vkprims/device/scan.h. */
#ifndef VKPRIMS_SCAN_ABI_H
#define VKPRIMS_SCAN_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/scan.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ScanPush {
  VkpU64 in_base, out_base, scratch;
  VkpU64 total; /* where the fold of everything goes, or 0 */
  VkpCount count;
  uint max_parts; /* workgroups of the multi-pass schedule */
  uint has_initial; /* 1: the initial value comes before the first element */
  VkpElement initial;
};

#ifdef __cplusplus
static_assert(sizeof(ScanPush) == 100);
}
#endif
#endif

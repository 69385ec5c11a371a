/* Push constants and specialization of expand.comp. Its scratch is in
   vkprims/device/segmented_reduce.h. */
#ifndef VKPRIMS_EXPAND_ABI_H
#define VKPRIMS_EXPAND_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/segmented_reduce.h"

#define VKP_EXPAND_SPEC_INDEX_WORDS VKP_SEGMENTED_SPEC_FIRST_OWN /* words of a result: 1 or 2 */
#define VKP_EXPAND_SPEC_RESULTS (VKP_SEGMENTED_SPEC_FIRST_OWN + 1)     /* a sum of these: */
#define VKP_EXPAND_INDICES 1
#define VKP_EXPAND_RANKS 2

#define VKP_EXPAND_CELL 4 /* neighbouring results that an invocation stores at once */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ExpandPush {
  VkpU64 offset_base;
  VkpU64 index_base, rank_base, total_base, report; /* 0: not wanted */
  VkpU64 scratch; /* unused if one tile has everything */
  VkpU64 capacity;
  VkpCount count;
  uint max_tiles, record_bytes;
};

#ifdef __cplusplus
static_assert(sizeof(ExpandPush) == 84);
}
#endif
#endif

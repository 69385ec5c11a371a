/* Push constants of gather.comp. Its specialization is in vkprims/device/indexed.h. */
#ifndef VKPRIMS_GATHER_ABI_H
#define VKPRIMS_GATHER_ABI_H

#include "vkprims/device/indexed.h"
#include "vkprims/push.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct GatherPush {
  VkpU64 in_base, index_base, out_base, report; /* report 0: not wanted */
  VkpCount count;
  VkpU64 source_count;
  VkpU64 fill_address; /* 0: the value is in `fill` */
  uint fill[4];
};

#ifdef __cplusplus
static_assert(sizeof(GatherPush) == 84);
}
#endif
#endif

/* Push constants and specialization of scatter.comp. */
#ifndef VKPRIMS_SCATTER_ABI_H
#define VKPRIMS_SCATTER_ABI_H

#include "vkprims/device/indexed.h"
#include "vkprims/push.h"

/* Besides those of indexed.h, and VKP_SPEC_OP: vkprims::ScatterMode. */
#define VKP_SCATTER_SPEC_TYPE VKP_INDEXED_SPEC_FIRST_OWN /* vkprims::Type, of all modes but assign */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ScatterPush {
  VkpU64 in_base, index_base, out_base, report; /* report 0: not wanted */
  VkpCount count;
  VkpU64 out_count;
};

#ifdef __cplusplus
static_assert(sizeof(ScatterPush) == 60);
}
#endif
#endif

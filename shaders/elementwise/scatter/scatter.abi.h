/* Push constants and specialization of scatter.comp. */
#ifndef VKPRIMS_SCATTER_ABI_H
#define VKPRIMS_SCATTER_ABI_H

#include "vkprims/device/indexed.h"
#include "vkprims/push.h"

/* There are also the constants of indexed.h, and VKP_SPEC_OP, which is a vkprims::ScatterMode. */
/* vkprims::Type, for all modes except assign. */
#define VKP_SCATTER_SPEC_TYPE VKP_INDEXED_SPEC_FIRST_OWN

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

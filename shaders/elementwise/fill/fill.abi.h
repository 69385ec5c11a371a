/* Push constants of fill.comp. */
#ifndef VKPRIMS_FILL_ABI_H
#define VKPRIMS_FILL_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct FillPush {
  VkpU64 out_base;
  VkpCount count;
  uint element_bytes;
  VkpU64 value_address; /* 0: the value is in `value` */
  uint value[4];        /* the element, repeated to 16 bytes */
};

#ifdef __cplusplus
static_assert(sizeof(FillPush) == 56);
}
#endif
#endif

/* Push constants and specialization of copy.comp. */
#ifndef VKPRIMS_COPY_ABI_H
#define VKPRIMS_COPY_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_COPY_SPEC_ALIGNED VKP_SPEC_FIRST_OWN /* 1: in and out are multiples of 4 * row_words */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct CopyPush {
  VkpU64 in_base, out_base;
  VkpCount count;
  uint element_bytes;
};

#ifdef __cplusplus
static_assert(sizeof(CopyPush) == 40);
}
#endif
#endif

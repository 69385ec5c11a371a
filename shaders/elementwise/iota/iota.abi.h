/* Push constants of iota.comp. */
#ifndef VKPRIMS_IOTA_ABI_H
#define VKPRIMS_IOTA_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct IotaPush {
  VkpU64 out_base;
  VkpCount count;
  VkpValue start, step;
  uint zero; /* always 0, which the compiler does not know */
};

#ifdef __cplusplus
static_assert(sizeof(IotaPush) == 64);
}
#endif
#endif

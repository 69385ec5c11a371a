/* Push constants of the kernel of maps. */
#ifndef VKPRIMS_MAP_ABI_H
#define VKPRIMS_MAP_ABI_H

#include "vkprims/push.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct MapPush {
  VkpU64 in_base[4], out_base[4];
  VkpCount count;
  VkpElement arguments;
};

#ifdef __cplusplus
static_assert(sizeof(MapPush) == 124);
}
#endif
#endif

/* Push constants and specialization of the kernels in transform. */
#ifndef VKPRIMS_TRANSFORM_ABI_H
#define VKPRIMS_TRANSFORM_ABI_H

#include "vkprims/device/map.h"
#include "vkprims/push.h"

/* These say what words stand for, each by a VKP_KIND_: FROM is for the operands, TO for the result
   of a cast. */
#define VKP_TRANSFORM_SPEC_FROM (VKP_MAP_SPEC_INPUTS + 1)
#define VKP_TRANSFORM_SPEC_TO (VKP_MAP_SPEC_INPUTS + 2)
#define VKP_KIND_UNSIGNED 0
#define VKP_KIND_SIGNED 1
#define VKP_KIND_FLOAT 2

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct TransformPush {
  VkpU64 a_base, b_base, out_base;
  VkpCount count;
  VkpValue scalar; /* used in place of b */
  VkpValue alpha;
  uint zero; /* always 0, which the compiler does not know */
};

#ifdef __cplusplus
static_assert(sizeof(TransformPush) == 80);
}
#endif
#endif

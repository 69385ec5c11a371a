/* Push constants and specialization of the kernels in transform. */
#ifndef VKPRIMS_TRANSFORM_ABI_H
#define VKPRIMS_TRANSFORM_ABI_H

#include "vkprims/device/map.h"
#include "vkprims/push.h"

/* What words stand for: a VKP_KIND_. FROM: the operands; TO: the result of a cast. */
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
  VkpValue scalar; /* in place of b */
  VkpValue alpha;
  uint zero; /* 0, unknown to the compiler */
};

#ifdef __cplusplus
static_assert(sizeof(TransformPush) == 80);
}
#endif
#endif

/* Push constants and specialization of adjacent_difference.comp. */
#ifndef VKPRIMS_ADJACENT_DIFFERENCE_ABI_H
#define VKPRIMS_ADJACENT_DIFFERENCE_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

/* 1: the neighbour is the next element. */
#define VKP_ADJACENT_DIFFERENCE_SPEC_RIGHT VKP_SPEC_FIRST_OWN

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct AdjacentDifferencePush {
  VkpU64 in_base, out_base;
  VkpCount count;
};

#ifdef __cplusplus
static_assert(sizeof(AdjacentDifferencePush) == 36);
}
#endif
#endif

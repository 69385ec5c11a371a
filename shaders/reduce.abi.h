/* Push constants, specialization and scratch of reduce.comp. */
#ifndef VKPRIMS_REDUCE_ABI_H
#define VKPRIMS_REDUCE_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_REDUCE_SPEC_COMMUTES VKP_SPEC_FIRST_OWN /* as in vkprims/reduce.glsl */

/* Scratch: one word that counts finished workgroups, then from byte 16 one element per workgroup. */
#define VKP_REDUCE_PARTIALS_OFFSET 16

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ReducePush {
  VkpU64 in_base, out_base, scratch;
  VkpCount count;
  uint max_groups; /* workgroups that may share the work */
  uint has_initial; /* 1: combine the initial value on the left */
  VkpValue initial;
};

#ifdef __cplusplus
static_assert(sizeof(ReducePush) == 68);
}
#endif
#endif

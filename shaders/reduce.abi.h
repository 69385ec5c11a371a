/* Push constants, specialization and scratch of reduce.comp. */
#ifndef VKPRIMS_REDUCE_ABI_H
#define VKPRIMS_REDUCE_ABI_H

#include "vkprims/spec.h"
#ifdef __cplusplus
#include <cstdint>
namespace vkprims::abi {
using uint = std::uint32_t;
#endif

#define VKP_REDUCE_SPEC_COMMUTES VKP_SPEC_FIRST_OWN /* as in vkprims/reduce.glsl */

/* Scratch: one word that counts finished workgroups, then from byte 16 one element per workgroup. */
#define VKP_REDUCE_PARTIALS_OFFSET 16

struct ReducePush {
  uint in_lo, in_hi;
  uint out_lo, out_hi;
  uint scratch_lo, scratch_hi;
  uint count_lo, count_hi;
  uint count_address_lo, count_address_hi;
  uint count_is_u64;
  uint max_groups;                             /* workgroups that may share the work */
  uint has_initial;                            /* 1: combine the initial value on the left */
  uint initial_address_lo, initial_address_hi; /* 0: initial */
  uint initial_lo, initial_hi;
};

#ifdef __cplusplus
static_assert(sizeof(ReducePush) == 68);
}
#endif

#endif

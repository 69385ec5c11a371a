/* Push constants of strings/bits/bits.comp. */
#ifndef VKPRIMS_STRINGS_BITS_ABI_H
#define VKPRIMS_STRINGS_BITS_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct BitsPush {
  VkpU64 bits, validity; /* BitsView; 0: all bits are set; no row is null */
  VkpU64 result;
  uint first_bit;
  uint rows;
};

#ifdef __cplusplus
static_assert(sizeof(BitsPush) == 32);
}
#endif
#endif

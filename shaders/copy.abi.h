/* Push constants and specialization of copy.comp. */
#ifndef VKPRIMS_COPY_ABI_H
#define VKPRIMS_COPY_ABI_H

#include "vkprims/spec.h"
#ifdef __cplusplus
#include <cstdint>
namespace vkprims::abi {
using uint = std::uint32_t;
#endif

#define VKP_COPY_SPEC_ALIGNED VKP_SPEC_FIRST_OWN /* 1: in and out are multiples of 4 * row_words */

struct CopyPush {
  uint in_lo, in_hi;
  uint out_lo, out_hi;
  uint count_lo, count_hi;
  uint count_address_lo, count_address_hi;
  uint count_is_u64;
  uint element_bytes;
};

#ifdef __cplusplus
static_assert(sizeof(CopyPush) == 40);
}
#endif

#endif

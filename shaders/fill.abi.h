/* Push constants of fill.comp. */
#ifndef VKPRIMS_FILL_ABI_H
#define VKPRIMS_FILL_ABI_H

#ifdef __cplusplus
#include <cstdint>
namespace vkprims::abi {
using uint = std::uint32_t;
#endif

struct FillPush {
  uint out_lo, out_hi;
  uint count_lo, count_hi;
  uint count_address_lo, count_address_hi;
  uint count_is_u64;
  uint element_bytes;
  uint value_address_lo, value_address_hi; /* 0: value */
  uint value[4];                           /* the element, repeated to 16 bytes */
};

#ifdef __cplusplus
static_assert(sizeof(FillPush) == 56);
}
#endif

#endif

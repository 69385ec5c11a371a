/* Push constants of iota.comp. */
#ifndef VKPRIMS_IOTA_ABI_H
#define VKPRIMS_IOTA_ABI_H

#ifdef __cplusplus
#include <cstdint>
namespace vkprims::abi {
using uint = std::uint32_t;
#endif

struct IotaPush {
  uint out_lo, out_hi;
  uint count_lo, count_hi;
  uint count_address_lo, count_address_hi;
  uint count_is_u64;
  uint start_address_lo, start_address_hi; /* 0: start */
  uint start_lo, start_hi;
  uint step_address_lo, step_address_hi; /* 0: step */
  uint step_lo, step_hi;
  uint zero; /* 0, unknown to the compiler */
};

#ifdef __cplusplus
static_assert(sizeof(IotaPush) == 64);
}
#endif

#endif

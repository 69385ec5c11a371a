/* Push constants of dispatch_args.comp. */
#ifndef VKPRIMS_DISPATCH_ARGS_ABI_H
#define VKPRIMS_DISPATCH_ARGS_ABI_H

#ifdef __cplusplus
#include <cstdint>
namespace vkprims::abi {
using uint = std::uint32_t;
#endif

struct DispatchArgsPush {
  uint args_lo, args_hi; /* VkDispatchIndirectCommand */
  uint count_lo, count_hi;
  uint count_address_lo, count_address_hi;
  uint count_is_u64;
  uint items_lo, items_hi; /* per group */
};

#ifdef __cplusplus
static_assert(sizeof(DispatchArgsPush) == 36);
}
#endif

#endif

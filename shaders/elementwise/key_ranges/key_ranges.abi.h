/* Push constants and specialization of key_ranges.comp. */
#ifndef VKPRIMS_KEY_RANGES_ABI_H
#define VKPRIMS_KEY_RANGES_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_KEY_RANGES_SPEC_INDEX_WORDS VKP_SPEC_FIRST_OWN /* words of a result: 1 or 2 */

#define VKP_KEY_RANGES_ITEMS 4 /* results that an invocation looks for at once */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct KeyRangesPush {
  VkpU64 haystack_base, out_base;
  VkpU64 ranges; /* there is one result more */
  VkpCount count;
  uint shift; /* of elements to the right, which makes keys of them */
};

#ifdef __cplusplus
static_assert(sizeof(KeyRangesPush) == 48);
}
#endif
#endif

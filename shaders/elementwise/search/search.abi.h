/* Push constants and specialization of search.comp. */
#ifndef VKPRIMS_SEARCH_ABI_H
#define VKPRIMS_SEARCH_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_SEARCH_SPEC_TYPE VKP_SPEC_FIRST_OWN             /* type of the keys: vkprims/keys.h */
#define VKP_SEARCH_SPEC_UPPER (VKP_SPEC_FIRST_OWN + 1)      /* vkprims::SearchKind */
#define VKP_SEARCH_SPEC_INDEX_WORDS (VKP_SPEC_FIRST_OWN + 2) /* words of a result: 1 or 2 */
#define VKP_SEARCH_SPEC_SORTED (VKP_SPEC_FIRST_OWN + 3)     /* 1: needles ascend */
/* The number of samples of the haystack that a workgroup has in shared memory: a power of two, or 1
   for none. */
#define VKP_SEARCH_SPEC_SAMPLES (VKP_SPEC_FIRST_OWN + 4)

#define VKP_SEARCH_ITEMS 4 /* needles that an invocation looks for at once */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SearchPush {
  VkpU64 haystack_base, needle_base, out_base;
  VkpCount count, haystack_count;
};

#ifdef __cplusplus
static_assert(sizeof(SearchPush) == 64);
}
#endif
#endif

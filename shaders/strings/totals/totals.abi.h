/* Push constants of strings/totals/totals.comp. */
#ifndef VKPRIMS_STRINGS_TOTALS_ABI_H
#define VKPRIMS_STRINGS_TOTALS_ABI_H

#include "vkprims/strings/strings.abi.h"
#include "vkprims/device/reduce.h"

#define VKP_TOTALS_SPEC_OP (VKP_REDUCE_SPEC_COMMUTES + 1) /* what is added up */
#define VKP_TOTALS_GATHERED_BYTES 0
#define VKP_TOTALS_BYTES_OF_VIEWS 1
#define VKP_TOTALS_NULLS 2

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct TotalsPush {
  VkpStrings a;
  VkpU64 numbers; /* address of indices, or of lengths */
  VkpU64 total; /* address of two words */
  VkpU64 scratch;   /* vkprims/device/reduce.h */
  uint items;       /* indices, views; words of validity */
  uint rows;        /* rows of a */
  uint null_length; /* length of null views */
  uint max_groups;
};

#ifdef __cplusplus
static_assert(sizeof(TotalsPush) == 80);
}
#endif
#endif

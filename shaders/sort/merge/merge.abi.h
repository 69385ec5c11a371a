/* Push constants, specialization and scratch of merge/. */
#ifndef VKPRIMS_MERGE_ABI_H
#define VKPRIMS_MERGE_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_MERGE_SPEC_TYPE VKP_SPEC_FIRST_OWN              /* type of the keys: vkprims/keys.h */
#define VKP_MERGE_SPEC_VALUE_WORDS (VKP_SPEC_FIRST_OWN + 1) /* 0, 1 or 2 */
#define VKP_MERGE_SPEC_ALONE (VKP_SPEC_FIRST_OWN + 2)       /* 1: one tile, nothing in scratch */

#define VKP_MERGE_SPEC_ITEMS (VKP_SPEC_FIRST_OWN + 3) /* of a tile, for each invocation */
/* 1: a subgroup searches for a tile, not an invocation. */
#define VKP_MERGE_SPEC_BY_SUBGROUP (VKP_SPEC_FIRST_OWN + 4)

/* The latter: at most 22 KiB of shared memory for 256 invocations, and odd, so that these use
   different banks. Values take registers for the places that they come from. */
#define VKP_MERGE_ITEMS(key_words, value_words) \
  ((key_words) == 1 ? ((value_words) == 0 ? 19 : 11) : ((value_words) == 0 ? 11 : 7))
#define VKP_MERGE_MAX_WORKGROUP 256

/* Scratch: first what an indirect grid needs; then the number of elements, 64 bits; then, for the
   begin of every tile and the end of the last one, how many elements of a come before it, 64 bits
   each. With a comparison of the application's own there are the records of
   merge_sort/merge_sort.abi.h instead. */
#define VKP_MERGE_TOTAL_OFFSET 16
#define VKP_MERGE_SPLITS_OFFSET 32

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct MergePush {
  VkpU64 a_base, b_base, out_base;
  VkpU64 a_values, b_values, out_values;
  VkpU64 count_out; /* 0: not wanted */
  VkpU64 scratch;
  VkpCount a_count, b_count;
  uint tile_items;
  uint tiles; /* for the largest counts; used with a comparison of the application's own */
};

#ifdef __cplusplus
static_assert(sizeof(MergePush) == 112);
}
#endif
#endif

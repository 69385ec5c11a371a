/* Push constants, specialization and scratch of the kernels in top_k/. */
#ifndef VKPRIMS_TOP_K_ABI_H
#define VKPRIMS_TOP_K_ABI_H

#include "vkprims/device/compact.h"
#include "vkprims/device/lookback.h"
#include "vkprims/push.h"

#define VKP_TOP_K_SPEC_TYPE (VKP_SPEC_FIRST_OWN + 2)  /* type of the keys: vkprims/keys.h */
#define VKP_TOP_K_SPEC_ORDER (VKP_SPEC_FIRST_OWN + 3) /* 1: the largest, 0: the smallest */
#define VKP_TOP_K_LARGEST 1
#define VKP_TOP_K_SPEC_MODE (VKP_SPEC_FIRST_OWN + 4) /* what select.comp selects: */
#define VKP_TOP_K_RANGE 0           /* candidates: the keys in the range that the sample gave */
#define VKP_TOP_K_FROM_INPUT 1      /* results */
#define VKP_TOP_K_FROM_CANDIDATES 2 /* results */
#define VKP_TOP_K_SPEC_DIGIT_BITS (VKP_SPEC_FIRST_OWN + 5) /* bits that one pass decides */
#define VKP_TOP_K_MAX_DIGIT_BITS 11

/* Elements are selected from the input in portions, so that positions within a portion have 32
   bits. */
#define VKP_TOP_K_PORTION_SHIFT 31
#define VKP_TOP_K_PORTION (1u << VKP_TOP_K_PORTION_SHIFT)

/* Scratch: three grids, the plan, the bins of a pass (u64 each), and the ties in every chunk (u32);
   then two lists of the number of elements selected in each portion, for candidates and for
   results; then the states of the look-backs. From the plan on, everything is 0 before. */
#define VKP_TOP_K_RANGE_GRID_OFFSET 0
#define VKP_TOP_K_INPUT_GRID_OFFSET 16
#define VKP_TOP_K_CANDIDATES_GRID_OFFSET 32
#define VKP_TOP_K_PLAN_OFFSET 48
#define VKP_TOP_K_BINS_OFFSET (VKP_TOP_K_PLAN_OFFSET + 128)
#define VKP_TOP_K_TIES_OFFSET (VKP_TOP_K_BINS_OFFSET + 8 * (1 << VKP_TOP_K_MAX_DIGIT_BITS))

/* Words of the plan. A number whose name ends in 64 takes the next word, too. */
#define VKP_TOP_K_WANTED64 0          /* how many results there are */
#define VKP_TOP_K_FROM_INPUT64 2      /* elements of the input to select results from */
#define VKP_TOP_K_FROM_CANDIDATES64 4 /* candidates to select results from */
#define VKP_TOP_K_SAMPLED 6           /* 1: the sample gave a range of codes, LOW to HIGH */
#define VKP_TOP_K_LOW64 8
#define VKP_TOP_K_HIGH64 10
#define VKP_TOP_K_BELOW64 12 /* elements below the range */
/* The digits known of the last code that is taken. The others are 0, or all ones in the state
   ALL_TIES. */
#define VKP_TOP_K_LAST64 14
#define VKP_TOP_K_RANK64 16  /* its rank among the elements that have these digits, from 1 */
#define VKP_TOP_K_TIES64 18  /* elements with the last code are taken before this position */
#define VKP_TOP_K_STATE 20
#define VKP_TOP_K_SEARCHING 0
#define VKP_TOP_K_ALL_TIES 1  /* the last code is known, and all elements that have it are taken */
#define VKP_TOP_K_SOME_TIES 2 /* the last code is known, and some elements that have it are taken */
#define VKP_TOP_K_CUT 3       /* these are the ones before VKP_TOP_K_TIES64 */
/* For each pass, at most 8, and for the ties, a word that counts the workgroups that have
   finished. */
#define VKP_TOP_K_ARRIVALS 21
#define VKP_TOP_K_MAX_PASSES 8

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct TopKPush {
  VkpU64 in_base, out_base;
  VkpU64 index_base, count_out; /* 0: not wanted */
  VkpU64 scratch;               /* 0: none, one workgroup does everything */
  VkpU64 candidates, candidate_indices;
  VkpU64 states; /* states of the look-back */
  VkpCount count;
  VkpU64 k;
  uint capacity; /* elements in `candidates`, which holds the sample before */
  uint pass;
  uint group_shift;  /* 1 << group_shift workgroups share a pass */
  uint sample_shift; /* 1 << sample_shift elements are sampled */
  uint lower;        /* 1: the range has a lower end, too */
  uint portion, portions;
  uint portions_offset; /* offset of the lists in scratch */
};

#ifdef __cplusplus
static_assert(sizeof(TopKPush) == 124);
static_assert(VKP_TOP_K_ARRIVALS + VKP_TOP_K_MAX_PASSES < 32);
}
#endif
#endif

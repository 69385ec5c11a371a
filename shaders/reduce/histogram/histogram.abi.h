/* Push constants and specialization of histogram/count.comp. */
#ifndef VKPRIMS_HISTOGRAM_ABI_H
#define VKPRIMS_HISTOGRAM_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_HISTOGRAM_SPEC_BINS VKP_SPEC_FIRST_OWN /* vkprims::HistogramBins */
/* The number of copies of the counters that a workgroup has in shared memory: a power of two up to
   16, or 0 for none. */
#define VKP_HISTOGRAM_SPEC_COPIES (VKP_SPEC_FIRST_OWN + 1)
#define VKP_HISTOGRAM_SPEC_SHARED_WORDS (VKP_SPEC_FIRST_OWN + 2) /* for counters and levels */
#define VKP_HISTOGRAM_SPEC_SHARED_LEVELS (VKP_SPEC_FIRST_OWN + 3) /* 1: levels are copied there */

/* 1: integer samples, and levels, have a sign. */
#define VKP_HISTOGRAM_SPEC_SIGNED (VKP_SPEC_FIRST_OWN + 4)
/* 1: there is one workgroup, which stores its counts; 8-bit samples are their own bins. */
#define VKP_HISTOGRAM_SPEC_ALONE (VKP_SPEC_FIRST_OWN + 5)

#define VKP_HISTOGRAM_MAX_COPIES 16

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct HistogramPush {
  VkpU64 in_base, levels_base, out_base;
  VkpCount count;
  uint max_groups;  /* workgroups that may share the work */
  uint bins;
  uint wide;        /* 1: counts have 64 bits */
  /* Even bins: the range of samples that count. For f32 and with a sign, these are unsigned numbers
     in the same order. */
  uint lower, last;
  /* Even bins: bins * 2^32 / (upper - lower); for f32, bins / (upper - lower), and lower. */
  VkpU64 scale;
  /* Even bins: upper - lower where the scale is rounded, or 0 where the scale is exact. */
  uint width;
};

#ifdef __cplusplus
static_assert(sizeof(HistogramPush) == 76);
}
#endif
#endif

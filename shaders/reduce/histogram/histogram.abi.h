/* Push constants and specialization of histogram/count.comp. */
#ifndef VKPRIMS_HISTOGRAM_ABI_H
#define VKPRIMS_HISTOGRAM_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_HISTOGRAM_SPEC_BINS VKP_SPEC_FIRST_OWN /* vkprims::HistogramBins */
/* Copies of the counters that a workgroup has in shared memory, a power of two up to 32; 0: none. */
#define VKP_HISTOGRAM_SPEC_COPIES (VKP_SPEC_FIRST_OWN + 1)
#define VKP_HISTOGRAM_SPEC_SHARED_WORDS (VKP_SPEC_FIRST_OWN + 2) /* for these and the levels */
#define VKP_HISTOGRAM_SPEC_SHARED_LEVELS (VKP_SPEC_FIRST_OWN + 3) /* 1: levels are copied there */

#define VKP_HISTOGRAM_SPEC_SIGNED (VKP_SPEC_FIRST_OWN + 4) /* 1: integer samples, and levels, have a sign */

#define VKP_HISTOGRAM_MAX_COPIES 32

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct HistogramPush {
  VkpU64 in_base, levels_base, out_base;
  VkpCount count;
  uint max_groups;  /* workgroups that may share the work */
  uint bins;
  uint wide;        /* 1: counts have 64 bits */
  uint lower, last; /* even: samples that count; of f32 and with a sign, unsigned numbers that order alike */
  VkpU64 scale;     /* even: bins * 2^32 / (upper - lower), of f32 bins / (upper - lower) and lower */
  uint width;       /* even: upper - lower where that is rounded; 0: it is exact */
};

#ifdef __cplusplus
static_assert(sizeof(HistogramPush) == 76);
}
#endif
#endif

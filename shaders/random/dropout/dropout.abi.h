/* Push constants and specialization of the kernels in dropout/. */
#ifndef VKPRIMS_DROPOUT_ABI_H
#define VKPRIMS_DROPOUT_ABI_H

#include "vkprims/random/philox.h"
#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct DropoutPush {
  VkpU64 in_base, out_base, mask;
  /* With VKP_DROPOUT_BIAS_ALPHA these are two floats: one is added to what is kept, and the other
     takes the place of what is not. */
  VkpU64 bias;
  VkpU64 residual;
  VkpCount count;
  VkpRngPush rng;
  uint threshold; /* a draw below it drops the element */
  uint run;       /* elements that share a draw, with VKP_DROPOUT_SHARED_DRAWS */
  VkpU64 scale;   /* a double for f64, else a float */
  uint columns;   /* columns of a row, below 2^31 */
  uint in_pitch, out_pitch, bias_pitch, residual_pitch; /* elements from row to row */
};

struct DropoutColumnsPush {
  VkpU64 in_base, out_base;
  VkpCount count; /* elements of the matrix */
  uint columns, pitch;
  uint rows;  /* rows of a chunk */
  uint lanes; /* log2 of the columns that a workgroup sums */
};

#ifdef __cplusplus
static_assert(sizeof(DropoutPush) == 128);
static_assert(sizeof(DropoutColumnsPush) == 52);
}
#endif

/* The source says where it is decided which elements are kept. */
#define VKP_DROPOUT_SPEC_SOURCE (VKP_SPEC_FIRST_OWN + 0)
#define VKP_DROPOUT_ALL 0u
#define VKP_DROPOUT_NOTHING 1u
#define VKP_DROPOUT_DRAW_32 2u /* 32 bits of a random number for each element */
#define VKP_DROPOUT_DRAW_16 3u
#define VKP_DROPOUT_READ_BITS 4u
#define VKP_DROPOUT_READ_BYTES 5u

/* The mask says what is stored of that decision: vkprims::DropoutMask. */
#define VKP_DROPOUT_SPEC_MASK (VKP_SPEC_FIRST_OWN + 1)
#define VKP_DROPOUT_MASK_NONE 0u
#define VKP_DROPOUT_MASK_BITS 1u
#define VKP_DROPOUT_MASK_BYTES 2u

#define VKP_DROPOUT_SPEC_ROUNDS (VKP_SPEC_FIRST_OWN + 2) /* rounds of Philox: 10 or 7 */

#define VKP_DROPOUT_SPEC_BIAS (VKP_SPEC_FIRST_OWN + 3)
#define VKP_DROPOUT_BIAS_NONE 0u
#define VKP_DROPOUT_BIAS_ROW 1u  /* one row serves all rows */
#define VKP_DROPOUT_BIAS_FULL 2u /* one element for each element */
#define VKP_DROPOUT_BIAS_ALPHA 3u

#define VKP_DROPOUT_SPEC_FLAGS (VKP_SPEC_FIRST_OWN + 4)
#define VKP_DROPOUT_RESIDUAL 1u
#define VKP_DROPOUT_PITCHED 2u      /* rows may have gaps between them */
#define VKP_DROPOUT_SHARED_DRAWS 4u /* `run` elements share a draw */
#define VKP_DROPOUT_ROUND 8u        /* packHalf2x16 may not round to nearest even */
#define VKP_DROPOUT_SHIFTED 16u     /* views are not aligned, without gaps, and not in place */

#endif

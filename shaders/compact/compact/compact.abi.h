/* Push constants, specialization and scratch of the kernels in compact/. */
#ifndef VKPRIMS_COMPACT_ABI_H
#define VKPRIMS_COMPACT_ABI_H

#include "vkprims/device/compact.h"
#include "vkprims/device/lookback.h"
#include "vkprims/push.h"

#define VKP_COMPACT_SPEC_SOURCE (VKP_SPEC_FIRST_OWN + 2) /* where flags come from: */
#define VKP_COMPACT_BYTES 0
#define VKP_COMPACT_BITS 1
#define VKP_COMPACT_COMPARED 2 /* elements compared with the operand */
/* Elements that differ from the one before: floats by value, others in their bits. */
#define VKP_COMPACT_HEADS 3
#define VKP_COMPACT_OWN 4 /* a predicate of a user's, in kernels that are built for it */

#define VKP_COMPACT_SPEC_KIND (VKP_SPEC_FIRST_OWN + 3) /* type of elements that are compared: */
#define VKP_COMPACT_UNSIGNED 0
#define VKP_COMPACT_SIGNED 1
#define VKP_COMPACT_FLOAT 2

/* 1: the dispatch that moves is the only one, without scratch. */
#define VKP_COMPACT_SPEC_ALONE (VKP_SPEC_FIRST_OWN + 5)
#define VKP_COMPACT_SPEC_COMPARE (VKP_SPEC_FIRST_OWN + 4) /* vkprims::Predicate */
#define VKP_COMPACT_LESS 0
#define VKP_COMPACT_LESS_EQUAL 1
#define VKP_COMPACT_EQUAL 2
#define VKP_COMPACT_NOT_EQUAL 3
#define VKP_COMPACT_GREATER_EQUAL 4
#define VKP_COMPACT_GREATER 5
#define VKP_COMPACT_HAS_BITS 6

/* A sequence is processed in portions, so that numbers of elements within a portion have 32 bits,
   and bit masks of a portion begin with a word. */
#define VKP_COMPACT_PORTION_SHIFT 31
#define VKP_COMPACT_PORTION (1u << VKP_COMPACT_PORTION_SHIFT)

/* Scratch: for each portion {workgroups that have counted, elements selected}, which are 0 before;
   then the state of the look-back, or, for each tile of each portion, how many elements of its
   portion are selected before the tile. */
#define VKP_COMPACT_PORTION_BYTES 8

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct CompactPush {
  VkpU64 in_base, flags_base, out_base, rejected_base, index_base, values_in_base, values_base;
  VkpU64 count_base;    /* where the number of selected elements goes */
  VkpU64 portions_base; /* scratch; 0: one tile holds everything */
  VkpU64 tiles_base;    /* scratch of the tiles */
  VkpCount count;
  VkpValue operand; /* or the arguments of a predicate of a user's: `operand`, flags_base,
                       values_in_base and values_base have their 8 words in this order */
  uint portion, portions; /* which portion, of how many */
  uint one_output;        /* 1: rejected elements follow the selected ones in `out` */
};

#ifdef __cplusplus
static_assert(sizeof(CompactPush) == 128);
}
#endif
#endif

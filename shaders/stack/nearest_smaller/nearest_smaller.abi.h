/* Push constants, specialization and scratch of the kernels in nearest_smaller/. */
#ifndef VKPRIMS_NEAREST_SMALLER_ABI_H
#define VKPRIMS_NEAREST_SMALLER_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct NearestSmallerPush {
  VkpU64 key_base, out_base, scratch;
  VkpCount count;
  uint max_tiles; /* lays out scratch; with 1 there is none */
  uint height;    /* of the nodes that a dispatch of tree.comp begins with */
};

#define VKP_NEAREST_SPEC_TYPE VKP_SPEC_FIRST_OWN              /* vkprims::Type */
#define VKP_NEAREST_SPEC_COMPARE (VKP_SPEC_FIRST_OWN + 1)     /* vkprims::NearestCompare */
#define VKP_NEAREST_SPEC_MIRRORED (VKP_SPEC_FIRST_OWN + 2)    /* 1: items run from last to first */
#define VKP_NEAREST_SPEC_INDEX_WORDS (VKP_SPEC_FIRST_OWN + 3) /* 1 or 2 */
#define VKP_NEAREST_SPEC_BLOCKS (VKP_SPEC_FIRST_OWN + 4)      /* blocks of a tile, 64 or 128 */

#define VKP_NEAREST_BLOCK_BYTES 128u /* keys of an invocation: a mask of 32 bits covers them */
#define VKP_NEAREST_MAX_BLOCKS 128u  /* greatest number of blocks of a tile */
#define VKP_NEAREST_FAN_OUT 8u
#define VKP_NEAREST_GROUP 64u        /* blocks below a leaf of the tree: FAN_OUT * FAN_OUT */

/* tiles.comp has this many words of shared memory for each block, and a few more. */
#define VKP_NEAREST_SHARED_WORDS 58u

/* Scratch: first what an indirect grid needs, then a record of each tile: the first pending key and
   whether there is one (16 bytes), the least key of each block, the least key of each 8 blocks, and
   a word of pending items for each block. Then comes the tree: the least key of each 64 blocks, of
   each 8 of these, and so on up to one; each height has room for a multiple of 8. */
#define VKP_NEAREST_RECORDS_OFFSET 16
#define VKP_NEAREST_HEADER_BYTES 16

#ifdef __cplusplus
static_assert(sizeof(NearestSmallerPush) == 52);
}
#endif
#endif

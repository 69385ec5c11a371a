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
  uint max_tiles; /* lays out scratch; 1: there is none */
  uint level;     /* of the tree that a dispatch of tree.comp begins with */
};

#define VKP_NEAREST_SPEC_TYPE VKP_SPEC_FIRST_OWN              /* vkprims::Type */
#define VKP_NEAREST_SPEC_COMPARE (VKP_SPEC_FIRST_OWN + 1)     /* vkprims::NearestCompare */
#define VKP_NEAREST_SPEC_MIRRORED (VKP_SPEC_FIRST_OWN + 2)    /* 1: items run from the last element to the first */
#define VKP_NEAREST_SPEC_INDEX_WORDS (VKP_SPEC_FIRST_OWN + 3) /* 1 or 2 */
#define VKP_NEAREST_SPEC_BLOCKS (VKP_SPEC_FIRST_OWN + 4)      /* of a tile, 64 or 128 */

#define VKP_NEAREST_BLOCK_BYTES 128u /* of keys that an invocation has: a mask of 32 bits covers them */
#define VKP_NEAREST_MAX_BLOCKS 128u  /* of a tile */
#define VKP_NEAREST_FAN_OUT 8u
#define VKP_NEAREST_GROUP 64u        /* blocks below a leaf of the tree: FAN_OUT * FAN_OUT */

/* Words of shared memory that tiles.comp has for each block, but for a few. */
#define VKP_NEAREST_SHARED_WORDS 58u

/* Scratch: what an indirect grid needs, then a record of each tile: the first key that is pending and whether there is
   one (16 bytes), the least key of each block, of each 8 blocks, a word of pending items for each block. Then the tree:
   the least key of each 64 blocks, of each 8 of these, and so on up to one; each level has room for a multiple of 8. */
#define VKP_NEAREST_RECORDS_OFFSET 16
#define VKP_NEAREST_HEADER_BYTES 16

#ifdef __cplusplus
static_assert(sizeof(NearestSmallerPush) == 52);
}
#endif
#endif

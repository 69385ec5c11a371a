/* Push constants and scratch of the kernels in strings/interned/. */
#ifndef VKPRIMS_STRINGS_INTERNED_ABI_H
#define VKPRIMS_STRINGS_INTERNED_ABI_H

#include "vkprims/strings/strings.abi.h"

/* Blocks of level 0 have 256 bytes, and those of each next level are 16 of the one below: 256 MiB
   at the last. */
#define VKP_INTERNED_LEAF_SHIFT 8
#define VKP_INTERNED_FAN_SHIFT 4
#define VKP_INTERNED_LEVELS 6

/* Rows of this many bytes or more have interned blocks. */
#define VKP_INTERNED_LONG_BYTES 512

/* The neighbouring slots that are tried before a block is hashed anew, and how often that is
   done. */
#define VKP_INTERNED_NEIGHBOURS 64
#define VKP_INTERNED_HASHES 8

/* The interned blocks, all bits of which are set before, begin with the bytes of the longest row,
   inverted, a word that is 0 if offsets descend, and one that is 0 if any row is long. Then come
   the tables of all levels, then the numbers of all blocks. */
#define VKP_INTERNED_LONGEST 0
#define VKP_INTERNED_ASCENDS 1
#define VKP_INTERNED_NONE_LONG 2 /* argsort notes this before it knows which rows are wanted */
#define VKP_INTERNED_HEADER_BYTES 16

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct InternPush {
  VkpStrings column;
  VkpU64 interned;
  VkpU64 marks; /* bits of rows, 0 for those whose blocks are wanted; address 0: all long ones */
  uint rows;
  uint level;
  uint seed;
};

#ifdef __cplusplus
static_assert(sizeof(InternPush) == 68);
}
#endif
#endif

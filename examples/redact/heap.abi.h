/* A heap in device memory, as heap.glsl finds it. Read by GLSL and C++. */
#ifndef REDACT_HEAP_ABI_H
#define REDACT_HEAP_ABI_H

#include "vkprims/push.h"

#define HEAP_CLASSES 16   /* sizes of blocks, each twice the one before */
#define HEAP_UNIT_SHIFT 4 /* the smallest blocks have 16 bytes; all begin at multiples of that */

#ifdef __cplusplus
namespace redact {
using vkprims::abi::uint;
using vkprims::abi::VkpU64;
#endif

/* Blocks of one size. */
struct HeapClass {
  uint first;  /* where they begin, in units of 16 bytes */
  uint blocks; /* how many there are */
  uint list;   /* where the list of blocks that came back begins, in words */
  int listed;  /* how many are in that list */
  uint used;   /* how many were ever taken; the others, behind them, are unused */
};

struct HeapState {
  VkpU64 memory; /* of the blocks */
  VkpU64 lists;  /* of block numbers in a class */
  uint failed;   /* how many times there was no block */
  uint unused;
  HeapClass classes[HEAP_CLASSES];
};

#ifdef __cplusplus
static_assert(sizeof(HeapClass) == 20 && sizeof(HeapState) == 24 + 20 * HEAP_CLASSES);
}
#endif
#endif

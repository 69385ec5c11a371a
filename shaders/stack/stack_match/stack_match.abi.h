/* Push constants, specialization and scratch of the kernels in stack_match/. */
#ifndef VKPRIMS_STACK_MATCH_ABI_H
#define VKPRIMS_STACK_MATCH_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct StackMatchPush {
  VkpU64 symbols; /* first cell of tags, or of the plane of opens */
  VkpU64 closes;  /* the plane of closes */
  VkpU64 match, close_of, depth, header; /* 0: not wanted */
  VkpU64 scratch;
  VkpCount count;
  uint head;      /* items before element 0 in the first cell */
  uint max_tiles; /* lays out scratch */
};

#define VKP_STACK_SPEC_INPUT VKP_SPEC_FIRST_OWN             /* vkprims::StackInput */
#define VKP_STACK_SPEC_WANTS (VKP_SPEC_FIRST_OWN + 1)       /* VKP_STACK_WANTS_… */
#define VKP_STACK_SPEC_INDEX_WORDS (VKP_SPEC_FIRST_OWN + 2) /* 1 or 2 */

#define VKP_STACK_SPEC_BLOCKS (VKP_SPEC_FIRST_OWN + 3)      /* blocks of a tile, a power of two */

#define VKP_STACK_SPEC_LEVEL_WORDS (VKP_SPEC_FIRST_OWN + 4) /* 1 if there are few items, else 2 */

/* With 1 there is an item without a symbol at the end. */
#define VKP_STACK_SPEC_ONE_MORE (VKP_SPEC_FIRST_OWN + 5)

#define VKP_STACK_WANTS_MATCH 1
#define VKP_STACK_WANTS_CLOSE_OF 2
#define VKP_STACK_WANTS_HEADER 4
#define VKP_STACK_WANTS_DEPTH 8
#define VKP_STACK_WANTS_TYPES 16
/* Stores what is found in the tile, in place of depth, 2 bytes each; for stack_fold. */
#define VKP_STACK_WANTS_CODES 32

#define VKP_STACK_BLOCK 32u       /* items of an invocation */
#define VKP_STACK_MAX_BLOCKS 128u /* greatest number of blocks of a tile */

#define VKP_STACK_SHORT_COUNT 0x40000000u /* from this many items on levels have two words */
#define VKP_STACK_FAN_OUT 8u
#define VKP_STACK_GROUP 512u /* tiles that a workgroup of tree.comp places: fan-out cubed */

/* Scratch: what an indirect grid needs and a counter; for each tile its lists (4 bytes an item, and
   VKP_STACK_LIST_EXTRA words more), what it does to the stack (32 bytes) and where it lies (32
   bytes); for each group of tiles what it does; then keys: 8 bytes a tile, and the least of each 8,
   of each 64 …, four levels at least.
   With StackSchedule::look_back all this lies behind the states of vkprims/device/lookback.h, and
   these lie behind what an indirect grid needs. */
#define VKP_STACK_STATES_OFFSET 64
#define VKP_STACK_STATE_WORDS 4 /* words of the Span of a tile */
#define VKP_STACK_COUNTER_OFFSET 16
#define VKP_STACK_LISTS_OFFSET 32
#define VKP_STACK_LIST_EXTRA 4u
#define VKP_STACK_EFFECT_BYTES 32
#define VKP_STACK_PLACE_BYTES 32
#define VKP_STACK_GROUP_BYTES 48

#ifdef __cplusplus
static_assert(sizeof(StackMatchPush) == 84);
}
#endif
#endif

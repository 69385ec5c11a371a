/* Push constants, specialization and scratch of the kernels in rolling/. */
#ifndef VKPRIMS_ROLLING_ABI_H
#define VKPRIMS_ROLLING_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

/* VKP_SPEC_OP: vkprims::RollingOp. */
#define VKP_ROLLING_OP_SUM 0u
#define VKP_ROLLING_OP_MEAN 1u
#define VKP_ROLLING_OP_MIN 2u
#define VKP_ROLLING_OP_MAX 3u
#define VKP_ROLLING_OP_COUNT 4u
#define VKP_ROLLING_OP_VARIANCE 5u
#define VKP_ROLLING_OP_ARG_MIN 6u
#define VKP_ROLLING_OP_ARG_MAX 7u

/* VKP_SPEC_ROWS is the number of neighbouring rows of an invocation, at most 32. */
#define VKP_ROLLING_SPEC_TYPE VKP_SPEC_FIRST_OWN          /* vkprims::Type of the input, or */
#define VKP_ROLLING_NO_INPUT 6u                           /* none: only validity is read */
#define VKP_ROLLING_SPEC_FLAGS (VKP_SPEC_FIRST_OWN + 1)   /* the flags below */
#define VKP_ROLLING_SPEC_STAGE (VKP_SPEC_FIRST_OWN + 2)   /* elements that the stage has room for */
#define VKP_ROLLING_SPEC_RUNS (VKP_SPEC_FIRST_OWN + 3)  /* tile.comp: folds in shared memory */
/* For tile.comp, this is a window shorter than VKP_SPEC_ROWS, or 0. */
#define VKP_ROLLING_SPEC_WINDOW (VKP_SPEC_FIRST_OWN + 4)

#define VKP_ROLLING_VALIDITY 1u      /* the input has validity bits */
#define VKP_ROLLING_GROUPS_LEFT 2u   /* windows end at their row, and begin not before its group */
#define VKP_ROLLING_GROUPS_RIGHT 4u  /* windows begin behind their row, end before the next head */
#define VKP_ROLLING_STORES_PART 8u   /* windows are stored whole, as parts of other windows */
#define VKP_ROLLING_ADDS_PART 16u    /* the window that was stored for a row comes behind its own */
#define VKP_ROLLING_OUT_VALIDITY 32u
#define VKP_ROLLING_CHECKS_COUNT 64u /* windows may have too few elements */
#define VKP_ROLLING_FILLS 128u       /* windows with too few elements are valid all the same */
#define VKP_ROLLING_OUT_WORDS_2 256u /* results have 8 bytes */
#define VKP_ROLLING_MARCHES 512u     /* edges.comp: tiles are as long as windows */
#define VKP_ROLLING_MIDDLES 1024u    /* edges.comp: the middles of windows are stored */
/* For elements of a user's monoid: windows know how many elements that are not null they have. */
#define VKP_ROLLING_COUNTS 2048u
#define VKP_ROLLING_ALIGNED 4096u /* so many words as divide an element, up to 4, move at once */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

/* The sequence, as all kernels but double.comp read it. */
struct RollingInput {
  VkpU64 base;
  VkpU64 validity; /* address of the word that has the bit of element 0 */
  VkpU64 heads;    /* a bit for each element that begins a group */
  VkpCount count;
  uint validity_bit; /* place of the bit of element 0, 0 … 31 */
};

/* Numbers of elements and rows are 64-bit; `first` may be below 0. */
struct RollingPush {
  RollingInput source;
  VkpU64 out_base, out_validity;
  VkpU64 parts;   /* one window for each row, in planes */
  VkpU64 middles; /* one for each tile */
  VkpU64 first;   /* the window of row i begins at element i + first */
  VkpU64 window;  /* its length; with VKP_ROLLING_GROUPS_… its greatest length */
  VkpU64 needed;  /* a window with fewer elements has a null result */
  VkpU64 null_value;
  /* A tile of edges.comp has this many rows, a multiple of 32 with VKP_ROLLING_OUT_VALIDITY. */
  uint tile_items;
  uint batches;    /* tiles of a workgroup of edges.comp */
  uint ddof;
};

struct RollingFoldPush {
  RollingInput source;
  VkpU64 folds; /* folds of each block */
  VkpU64 heads; /* folds of the first head_items of each block */
  VkpU64 first; /* where block 0 begins */
  uint block_items;
  uint head_items;
};

struct RollingDoublePush {
  VkpU64 from, to; /* folds of 2^level blocks from each block on; of twice as many */
  VkpU64 heads;
  VkpU64 middles;
  VkpCount count;
  VkpU64 first; /* where block 0 begins */
  uint block_shift; /* log2 of block_items */
  uint skipped;     /* blocks from the first row's left edge on that lie before block 0 */
  uint whole;       /* blocks between the edges of a window */
  uint level;
};

#ifdef __cplusplus
static_assert(sizeof(RollingInput) == 48);
static_assert(sizeof(RollingPush) == 124);
static_assert(sizeof(RollingFoldPush) == 80);
static_assert(sizeof(RollingDoublePush) == 76);
}
#endif
#endif

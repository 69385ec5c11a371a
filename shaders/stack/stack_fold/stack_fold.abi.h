/* Push constants, specialization and scratch of the kernels in stack_fold/. */
#ifndef VKPRIMS_STACK_FOLD_ABI_H
#define VKPRIMS_STACK_FOLD_ABI_H

#include "stack/stack_match/stack_match.abi.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct StackFoldPush {
  StackMatchPush stack; /* depth: the codes; over what brackets enclose: the masks */
  VkpU64 values, out_base;
  VkpU64 folds; /* folds of what is below tiles; over what brackets enclose: of nodes */
  VkpU64 next;  /* folds that jump.comp makes of them */
  uint height;    /* nodes.comp: height of the nodes */
  uint with_open; /* tiles.comp: the folds of opens include their own values */
};

/* VKP_STACK_SPEC_ONE_MORE asks for folds after symbols, which are those before the next ones. */

#define VKP_STACK_FOLD_GROUP 256u /* tiles of a workgroup of links.comp */
#define VKP_STACK_FOLD_TILES 4u   /* tiles of a workgroup whose subgroups have a tile each */

/* Scratch: that of stack_match for tiles.comp and tree.comp, codes of 2 bytes for each item of all
   tiles, then twice a fold for each tile: a link and the words of a value, in 16, 32 or 48 bytes.
   For folds over what brackets enclose: the scratch of stack_match, 4 bytes for each symbol, a
   pair of masks for each block of the tiles of tiles.comp, then a fold for each of these tiles and
   for each node of a tree of fan-out 8 over them. */
#define VKP_STACK_FOLD_ROOM(words) ((words) < 4 ? 16u : (words) < 8 ? 32u : 48u)

/* Tiles of tiles.comp, which are smaller where shared memory has no room for so many blocks. */
#define VKP_STACK_FOLD_TILE_BLOCKS 16u
#define VKP_STACK_FOLD_MASK_BYTES 8u /* of a pair */
/* Words of shared memory: a tree of folds, two words for each symbol, three for each block. */
#define VKP_STACK_FOLD_TILE_WORDS(blocks, value_words) \
  ((blocks) * (VKP_STACK_BLOCK * (2u * (value_words) + 2u) + 3u) + 1u)

#ifdef __cplusplus
static_assert(sizeof(StackFoldPush) == 124);
}
#endif
#endif

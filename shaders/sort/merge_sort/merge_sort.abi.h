/* Push constants, specialization and sizes of merge_sort/, and of merges by a comparison of the
   application's own. */
#ifndef VKPRIMS_MERGE_SORT_ABI_H
#define VKPRIMS_MERGE_SORT_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_MERGE_SORT_SPEC_VALUE_WORDS VKP_SPEC_FIRST_OWN /* 0, 1 or 2 */
/* 1: a subgroup searches for a tile, not an invocation. */
#define VKP_MERGE_SORT_SPEC_BY_SUBGROUP (VKP_SPEC_FIRST_OWN + 1)
/* Searches of a workgroup in which subgroups do it. */
#define VKP_MERGE_SORT_SUBGROUP_SEARCHES 8u

/* Elements of a tile for each invocation, by their words. Odd numbers keep the invocations of a
   subgroup in different banks of shared memory, where each reads and writes its own elements. 128
   invocations have at most 16 KiB, 256 at most 32 KiB. */
#define VKP_MERGE_SORT_ITEMS(words)                                             \
  ((words) == 1 ? 17                                                            \
                : (words) == 2 ? 11                                             \
                               : (words) == 3 ? 9 : (words) == 4 ? 7 : (words) <= 6 ? 5 : 3)
/* Words between the first words of all elements of a tile and their second words: one for each
   element of the tile, one more for each of an invocation and yet another one, and so many that
   words of neighbours lie in different banks. */
#define VKP_MERGE_SORT_ROW(words, invocations) \
  ((invocations) * VKP_MERGE_SORT_ITEMS(words) + (32 + (words) - 1) / (words))

/* A tile of a merge, as the search for its beginning leaves it: where its elements begin in both
   sequences, as two u64; how many of them come from the first sequence, and how many there are; and
   which sequences these are, 0 or 1. */
#define VKP_MERGE_SORT_RECORD_BYTES 32

#ifdef __cplusplus
namespace vkprims::abi {
#endif

/* Of the dispatches that sort tiles and that look where merged tiles begin. */
struct MergeSortPush {
  VkpU64 in_base, out_base, other_base; /* other: in scratch */
  VkpU64 values_in, values_out, values_other;
  VkpU64 records; /* of the tiles of a merge */
  VkpCount count;
  uint tile_items;  /* elements of a tile, and of a run before the first merge */
  uint tiles;       /* of all elements, for the largest count */
  uint pass_number; /* 0: the first merge */
};

/* Two sequences, and where their merge goes. */
struct MergePlaces {
  VkpU64 a, b, out_base;
  VkpU64 a_values, b_values, out_values;
};

/* Of the dispatch that merges tiles. */
struct MergeTilesPush {
  MergePlaces places0, places1; /* as a record says */
  VkpU64 records;
  uint tiles;
};

#ifdef __cplusplus
static_assert(sizeof(MergeSortPush) == 88);
static_assert(sizeof(MergeTilesPush) == 108);
}
#endif
#endif

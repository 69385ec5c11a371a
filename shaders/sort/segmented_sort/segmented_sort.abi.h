/* Push constants and scratch of segmented_sort/. */
#ifndef VKPRIMS_SEGMENTED_SORT_ABI_H
#define VKPRIMS_SEGMENTED_SORT_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

/* Kernels with networks take long to compile, so only shapes are specialized in them. The others
   also specialize this: */
#define VKP_SEGMENTED_SORT_SPEC_FORMAT VKP_SPEC_FIRST_OWN /* `format`, below */
/* What keys are, and how they are ordered, is the sum of: */
#define VKP_SEGMENTED_SORT_SIGNED 1 /* integers with a sign, or floats */
#define VKP_SEGMENTED_SORT_FLOAT 2
#define VKP_SEGMENTED_SORT_DESCENDING 4
#define VKP_SEGMENTED_SORT_BY_VALUE 8 /* floats order by value, not by their bits */

/* Items are sorted. An item is a key of one or two words and, where equal keys can be told apart or
   keys have values, a word that says where the key came from. An invocation holds so many items: */
#define VKP_SEGMENTED_SORT_ITEMS(item_words) ((item_words) == 1 ? 32 : 16)
/* Words of shared memory for an invocation: its items, and one word more for every 32, against bank
   conflicts. */
#define VKP_SEGMENTED_SORT_POOL 33
#define VKP_SEGMENTED_SORT_CONTROL_BYTES 256 /* further bytes of shared memory */
/* Elements of a tile of a merge, for each invocation. */
#define VKP_SEGMENTED_SORT_MERGE_ITEMS(key_words) 8

/* Segments are sorted by teams of 2^c invocations, where c is the class of a segment. Class 0 has
   the segments that are longer than what a workgroup holds: they are cut into tiles.

   Scratch: a header of words, which are the number of tiles, the number of segments of class
   1, 2 …, and how often runs are merged. Then max_tiles tiles, uvec4 each; then the lists of the
   classes, one after the other, uvec2 for each segment; then, in case there are tiles, room for the
   keys and the values of all segments once more. `units` is the number of keys divided by the items
   of an invocation, rounded up: a segment of class c has more than 2^(c - 1) such units. Class 1
   has short segments among long ones, too. */
#define VKP_SEGMENTED_SORT_CLASSES 9 /* at most, class 0 included: teams of 2 … 256 */
#define VKP_SEGMENTED_SORT_PASSES 15 /* the word of the header with the number of merges */
#define VKP_SEGMENTED_SORT_HEADER_BYTES 64
#define VKP_SEGMENTED_SORT_TILE_BYTES 16
#define VKP_SEGMENTED_SORT_ENTRY_BYTES 8
#define VKP_SEGMENTED_SORT_CAPACITY(c, units) ((c) == 1 ? 2 * (units) : ((units) >> ((c)-1)) + 1)

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SegmentedSortPush {
  VkpU64 in_base, out_base, values_in, values_out;
  VkpU64 offset_base, scratch;
  VkpU64 spare_keys, spare_values; /* in scratch: positions are those of out */
  VkpCount count;                  /* segments */
  VkpU64 key_count;                /* keys that offsets may point to */
  VkpU64 max_length;               /* greatest length of a segment */
  uint units, max_tiles;
  uint max_entries; /* most entries of any list */
  uint pass;        /* number of the merge: 2 runs of 2^pass tiles become one */
  uint format;      /* the sum above; value_words << 8: 0, 1, 2 or 4; offset_words << 16: 1 or 2 */
};

#ifdef __cplusplus
static_assert(sizeof(SegmentedSortPush) == 120);
}
#endif
#endif

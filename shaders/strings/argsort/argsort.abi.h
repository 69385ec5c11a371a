/* Push constants of the kernels in strings/argsort/. */
#ifndef VKPRIMS_STRINGS_ARGSORT_ABI_H
#define VKPRIMS_STRINGS_ARGSORT_ABI_H

#include "vkprims/strings/strings.abi.h"

/* Keys of an invocation of ties.comp, whose flags are a word. */
#define VKP_ARGSORT_TIE_KEYS 4

/* Records of an invocation where records are sorted: four words each, of a workgroup all of 16 KiB. */
#define VKP_ARGSORT_WORKGROUP 128
#define VKP_ARGSORT_ITEMS 8
#define VKP_ARGSORT_TILE 1024

/* The format is the sum of: */
#define VKP_ARGSORT_DESCENDING 1
#define VKP_ARGSORT_NULLS_FIRST 2

/* Scratch begins with the number of rows that tie, 64 bits, and the size of a grid. */
#define VKP_ARGSORT_GRID_OFFSET 16
#define VKP_ARGSORT_HEADER_BYTES 32
#define VKP_ARGSORT_RECORD_BYTES 16

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct StringsArgsortPush {
  VkpStrings column;
  VkpU64 keys, sorted_keys; /* 64 bits each: of the rows, and in order */
  VkpU64 ties;              /* a byte for each key in order: whether a neighbour has the same */
  VkpU64 order;             /* the rows as they are sorted */
  VkpU64 positions;         /* there, of those that tie; */
  VkpU64 tied;              /* address of their number */
  VkpU64 records, spare;    /* between which these go to and fro */
  VkpU64 interned;          /* blocks of long rows that tie, behind the marks of these; 0: no row is long */
  uint rows;
  uint format;
  uint pass; /* of the merges */
};

#ifdef __cplusplus
static_assert(sizeof(StringsArgsortPush) == 124);
static_assert(VKP_ARGSORT_TILE == VKP_ARGSORT_WORKGROUP * VKP_ARGSORT_ITEMS);
}
#endif
#endif

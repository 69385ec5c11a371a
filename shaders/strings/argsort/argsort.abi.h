/* Push constants of the kernels in strings/argsort/. */
#ifndef VKPRIMS_STRINGS_ARGSORT_ABI_H
#define VKPRIMS_STRINGS_ARGSORT_ABI_H

#include "vkprims/strings/strings.abi.h"

/* An invocation of ties.comp has this many keys, whose flags are a word. */
#define VKP_ARGSORT_TIE_KEYS 4

/* An invocation has VKP_ARGSORT_ITEMS records where records are sorted. A record has four words;
   those of a workgroup take 16 KiB. */
#define VKP_ARGSORT_WORKGROUP 128
#define VKP_ARGSORT_ITEMS 8
#define VKP_ARGSORT_TILE 1024

/* The format is the sum of these. */
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
  VkpU64 keys, sorted_keys; /* 64 bits each: those of the rows; the same in order */
  VkpU64 ties;              /* a byte for each key in order: whether a neighbour has the same */
  VkpU64 order;             /* the rows as they are sorted */
  VkpU64 positions;         /* positions in `order` of the rows that tie */
  VkpU64 tied;              /* address of the number of these rows */
  VkpU64 records, spare;    /* the records go to and fro between these */
  VkpU64 interned;          /* blocks of long rows that tie, behind their marks; 0: none */
  uint rows;
  uint format;
  uint pass; /* number of the merge */
};

#ifdef __cplusplus
static_assert(sizeof(StringsArgsortPush) == 124);
static_assert(VKP_ARGSORT_TILE == VKP_ARGSORT_WORKGROUP * VKP_ARGSORT_ITEMS);
}
#endif
#endif

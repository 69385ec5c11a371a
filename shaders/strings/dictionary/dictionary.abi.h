/* Push constants of the kernels in strings/dictionary/. */
#ifndef VKPRIMS_STRINGS_DICTIONARY_ABI_H
#define VKPRIMS_STRINGS_DICTIONARY_ABI_H

#include "vkprims/strings/strings.abi.h"

/* The neighbouring slots that are tried before the bytes are hashed anew, and how often that is
   done. */
#define VKP_DICTIONARY_NEIGHBOURS 64
#define VKP_DICTIONARY_HASHES 8

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct DictionaryPush {
  VkpStrings a;
  VkpU64 codes;     /* u32 for each row: its slot, in the end its code */
  VkpU64 table;     /* slots */
  VkpU64 firsts;    /* a byte for each row: 1 for the first of its kind */
  VkpU64 found;     /* numbers of these rows */
  VkpU64 count;     /* how many these are, u64 */
  VkpU64 out_rows;  /* as many of `found` as there is room for; 0: not wanted */
  VkpU64 report;    /* DeviceReport; 0: not wanted */
  VkpU64 interned;  /* blocks of long rows; 0: no row is long */
  uint begin, end;  /* rows of this dispatch */
  uint slot_mask;   /* slots of the table, a power of two, less 1 */
  uint row_mask;    /* bits of a slot that hold a row; no row has all of them set */
  uint seed;
  uint capacity;    /* rows that out_rows has room for */
};

#ifdef __cplusplus
static_assert(sizeof(DictionaryPush) == 128);
}
#endif
#endif

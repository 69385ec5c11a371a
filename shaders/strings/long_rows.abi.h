/* Push constants of strings/long_rows.comp. */
#ifndef VKPRIMS_STRINGS_LONG_ROWS_ABI_H
#define VKPRIMS_STRINGS_LONG_ROWS_ABI_H

#include "strings.abi.h"

#define VKP_NO_ROW 0xffffffffu

/* Counting a text that overlaps itself (part_numbers.glsl): bytes of such a text at most, and parts of a span. */
#define VKP_STRINGS_MOST_ENTRIES 64
#define VKP_STRINGS_SPAN_PARTS 256

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct LongRowsPush {
  VkpStrings column;
  VkpU64 table; /* address of a word for each milestone */
  uint rows;
};

#ifdef __cplusplus
static_assert(sizeof(LongRowsPush) == 52);
}
#endif
#endif

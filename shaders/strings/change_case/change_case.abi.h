/* The table of strings/change_case.comp, which lies where scalars do: words.
 *
 * First for each 64 code points up to 0xFFFF the number of a page, a byte each. Then the pages: for each of its code
 * points 16 bits, the code point that it becomes, or 0 where it stays. Numbers from VKP_CASE_EXPANSION on, which are
 * nobody's upper or lower case, mean that it becomes several: so many times two words from the beginning of the table
 * on lies their UTF-8, and in the highest byte how many bytes that has. */
#ifndef VKPRIMS_STRINGS_CHANGE_CASE_ABI_H
#define VKPRIMS_STRINGS_CHANGE_CASE_ABI_H

#define VKP_CASE_PAGE 64
#define VKP_CASE_INDEX_WORDS 256
#define VKP_CASE_PAGE_WORDS 32
#define VKP_CASE_EXPANSION 0xe000 /* private use */
#define VKP_CASE_EXPANSION_END 0xf900

/* Operations. */
#define VKP_CASE_UPPER 0
#define VKP_CASE_LOWER 1

#endif

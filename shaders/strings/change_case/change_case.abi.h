/* The table of strings/change_case/change_case.comp consists of words and lies where scalars do.
 *
 * First comes the number of a page for each 64 code points up to 0xFFFF, a byte each. Then come the
 * pages, which have 16 bits for each of their code points: the code point that it becomes, or 0
 * where it stays. Numbers from VKP_CASE_EXPANSION on, which are nobody's upper or lower case, mean
 * that it becomes several: number VKP_CASE_EXPANSION + i stands for the two words from word 2 * i
 * of the table on, which have their UTF-8, and in the highest byte how many bytes that has. */
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

/* The set of strings/strip/strip.comp consists of words and lies where scalars do. First comes a
 * bit for each character of ASCII; then the other characters of up to four bytes, as words, the
 * first byte lowest, in ascending order. */
#ifndef VKPRIMS_STRINGS_STRIP_ABI_H
#define VKPRIMS_STRINGS_STRIP_ABI_H

#define VKP_STRIP_ASCII_WORDS 4
#define VKP_STRIP_CHARACTER_BYTES 4

#endif

/* The set of strings/strip.comp, which lies where scalars do: words. First a bit for each character of ASCII; then the others
 * of up to four bytes, as words, the first byte lowest, in ascending order. */
#ifndef VKPRIMS_STRINGS_STRIP_ABI_H
#define VKPRIMS_STRINGS_STRIP_ABI_H

#define VKP_STRIP_ASCII_WORDS 4
#define VKP_STRIP_CHARACTER_BYTES 4

#endif

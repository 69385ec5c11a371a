// Sets of characters that are taken off the ends of rows. They are tables that the host has made
// (strip.abi.h).
#ifndef STRINGS_STRIP_SET_GLSL
#define STRINGS_STRIP_SET_GLSL

#include "vkprims/strings/strings.glsl"
#include "strings/strip/strip.abi.h"

bool is_whitespace() { return vkp_arguments().v.text_bytes == 0u; }

uint table_word(uint i) { return VkpWords(vkp_scalar_text().at).v[i]; }

// Says whether a character is in the set: its word has at most four bytes, the first one lowest.
bool is_in_set(uint word) {
  if (word < 0x80u) return (table_word(word / 32u) >> (word & 31u) & 1u) != 0u;
  const uint count = (vkp_arguments().v.text_bytes - 4u * VKP_STRIP_ASCII_WORDS) / 4u;
  uint before = 0u;  // words of the table that are less
  for (uint step = count == 0u ? 0u : 1u << findMSB(count); step != 0u; step /= 2u) {
    if (before + step <= count && table_word(VKP_STRIP_ASCII_WORDS + before + step - 1u) < word) {
      before += step;
    }
  }
  return before < count && table_word(VKP_STRIP_ASCII_WORDS + before) == word;
}

// Says whether the character that begins at byte `i` is in the set. Characters of more than four
// bytes are no UTF-8, and are in no set.
bool is_stripped(VkpText t, uint i) {
  const uint word = vkp_text_word(t, int(i));
  if ((word & 0xffu) < 0x80u && (i + 1u >= t.bytes || (word >> 8 & 0xc0u) != 0x80u)) {
    return is_in_set(word & 0xffu);
  }
  // Bytes that do not exist are 0, which begins a character.
  const uint others = vkp_starts_of_word(word) & 0x80808000u;
  const uint bytes = others == 0u ? 4u : uint(findLSB(others)) / 8u;
  if (bytes == 4u && i + 4u < t.bytes && !vkp_is_start(vkp_text_byte(t, i + 4u))) return false;
  return is_in_set(bytes == 4u ? word : word & ~(~0u << (8u * bytes)));
}

#endif

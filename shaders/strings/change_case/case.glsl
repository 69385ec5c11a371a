// This turns characters into upper or lower case: ASCII is changed by arithmetic, and code points
// up to 0xFFFF by a table, which is the scalar of the operation.
#ifndef STRINGS_CASE_GLSL
#define STRINGS_CASE_GLSL

#include "strings/change_case/change_case.abi.h"
#include "vkprims/strings/strings.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint to = 0;

// Changes four bytes below 0x80. A sum has bit 7 set in the bytes that are at least the first
// letter, or past the last one.
uint change_ascii(uint word) {
  const uint letters = to == VKP_CASE_UPPER ? word + 0x1f1f1f1fu & ~(word + 0x05050505u)
                                            : word + 0x3f3f3f3fu & ~(word + 0x25252525u);
  return word ^ (letters & 0x80808080u) >> 2;
}

uint table_word(uint i) { return VkpWords(vkp_scalar_text().at).v[i]; }

// Returns what the table has for a code point up to 0xFFFF.
uint changed(uint code_point) {
  const uint block = code_point / VKP_CASE_PAGE;
  const uint page = table_word(block / 4u) >> (8u * (block & 3u)) & 0xffu;
  const uint i = code_point % VKP_CASE_PAGE;
  return table_word(VKP_CASE_INDEX_WORDS + page * VKP_CASE_PAGE_WORDS + i / 2u) >>
             (16u * (i & 1u)) &
         0xffffu;
}

// Returns how many bytes belong together at the beginning of a word: a lead byte with as many
// continuation bytes as it asks for, or any one byte.
uint unit_bytes(uint word) {
  if ((word & 0xc0e0u) == 0x80c0u) return 2u;
  if ((word & 0xc0c0f0u) == 0x8080e0u) return 3u;
  return (word & 0xc0c0c0f8u) == 0x808080f0u ? 4u : 1u;
}

// Returns the code point of a unit of two or three bytes, or 0 if it takes fewer.
uint code_point_of(uint word, uint bytes) {
  const uint last = bytes == 2u ? word >> 8 : word >> 16;
  uint x = last & 0x3fu;
  if (bytes == 2u) {
    x |= (word & 0x1fu) << 6;
    return x < 0x80u ? 0u : x;
  }
  x |= (word & 0x0fu) << 12 | (word >> 8 & 0x3fu) << 6;
  return x < 0x800u ? 0u : x;
}

#endif

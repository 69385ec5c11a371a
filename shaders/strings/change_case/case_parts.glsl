// Parts of rows in upper or lower case, put byte by byte (writer.glsl). A character belongs to the
// part that it begins in.
#ifndef STRINGS_CASE_PARTS_GLSL
#define STRINGS_CASE_PARTS_GLSL

#include "strings/change_case/case.glsl"
#include "vkprims/strings/writer.glsl"

// Returns how many bytes from `begin` on belong to a unit which begins before.
uint bytes_of_last_unit(VkpText t, uint begin) {
  for (uint back = 1u; back <= min(begin, 3u); ++back) {
    const uint bytes = unit_bytes(vkp_text_word(t, int(begin - back)));
    if (bytes > back) return bytes - back;
  }
  return 0u;
}

void put_unit(inout VkpWriter w, uint word, uint bytes) {
  uint target = 0u;
  if (bytes == 2u || bytes == 3u) target = changed(code_point_of(word, bytes));
  if (target == 0u) {
    vkp_put_bytes(w, word, bytes);
  } else if (target < VKP_CASE_EXPANSION || target >= VKP_CASE_EXPANSION_END) {
    vkp_put_code_point(w, target);
  } else {
    const uint i = 2u * (target - VKP_CASE_EXPANSION);
    const uint high = table_word(i + 1u);
    const uint count = high >> 24;
    vkp_put_bytes(w, table_word(i), min(count, 4u));
    vkp_put_bytes(w, high, max(count, 4u) - 4u);
  }
}

// Puts bytes begin … end - 1 of a text in upper or lower case; the first one of them begins a
// character.
void put_part(VkpText t, uint begin, uint end, inout VkpWriter w) {
  uint i = begin;
  while (i < end) {
    uint word = vkp_text_word(t, int(i));
    const uint wide = word & 0x80808080u;
    uint ascii = 4u;  // bytes before the first one of a wide character
    if (wide != 0u) ascii = uint(findLSB(wide)) / 8u;
    ascii = min(ascii, end - i);
    vkp_put_bytes(w, change_ascii(word & 0x7f7f7f7fu), ascii);
    i += ascii;
    if (wide == 0u || i >= end) continue;
    word = vkp_text_word(t, int(i));
    const uint bytes = unit_bytes(word);
    put_unit(w, word, bytes);
    i += bytes;
  }
}

#endif

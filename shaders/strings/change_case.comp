// Rows in upper or lower case, by code points up to 0xFFFF without regard to their neighbours. Whatever is not the
// UTF-8 of a code point that changes is copied.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/change_case.abi.h"
#include "strings/strings.glsl"
#include "strings/writer.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint to = 0;

const uint PART_BYTES = 64;  // of a row; a character that begins in a part belongs to it

struct Row {
  VkpText text;
};

bool evaluate(uint row, out Row x) {
  x.text = vkp_row_text(push.a, row);
  return vkp_valid(push.a, row);
}

uint parts_of(Row x) { return (x.text.bytes + PART_BYTES - 1u) / PART_BYTES; }

// Four bytes below 0x80. A sum has bit 7 of the bytes that are at least the first letter, or past the last one.
uint change_ascii(uint word) {
  const uint letters = to == VKP_CASE_UPPER ? word + 0x1f1f1f1fu & ~(word + 0x05050505u)
                                            : word + 0x3f3f3f3fu & ~(word + 0x25252525u);
  return word ^ (letters & 0x80808080u) >> 2;
}

uint table_word(uint i) { return VkpWords(scalar_text().at).v[i]; }

// What the table has for a code point up to 0xFFFF.
uint changed(uint code_point) {
  const uint block = code_point / VKP_CASE_PAGE;
  const uint page = table_word(block / 4u) >> (8u * (block & 3u)) & 0xffu;
  const uint i = code_point % VKP_CASE_PAGE;
  return table_word(VKP_CASE_INDEX_WORDS + page * VKP_CASE_PAGE_WORDS + i / 2u) >> (16u * (i & 1u)) & 0xffffu;
}

// How many bytes belong together at the beginning of a word: a lead byte with as many continuation bytes as it asks
// for, or any one byte.
uint unit_bytes(uint word) {
  if ((word & 0xc0e0u) == 0x80c0u) return 2u;
  if ((word & 0xc0c0f0u) == 0x8080e0u) return 3u;
  return (word & 0xc0c0c0f8u) == 0x808080f0u ? 4u : 1u;
}

// Bytes from `begin` on that belong to a unit which begins before.
uint bytes_of_last_unit(VkpText t, uint begin) {
  for (uint back = 1u; back <= min(begin, 3u); ++back) {
    const uint bytes = unit_bytes(vkp_text_word(t, int(begin - back)));
    if (bytes > back) return bytes - back;
  }
  return 0u;
}

// The code point of a unit of two or three bytes, or 0 if it takes fewer.
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

void put_unit(inout Writer w, uint word, uint bytes) {
  uint target = 0u;
  if (bytes == 2u || bytes == 3u) target = changed(code_point_of(word, bytes));
  if (target == 0u) {
    put_bytes(w, word, bytes);
  } else if (target < VKP_CASE_EXPANSION || target >= VKP_CASE_EXPANSION_END) {
    put_code_point(w, target);
  } else {
    const uint i = 2u * (target - VKP_CASE_EXPANSION);
    const uint high = table_word(i + 1u);
    const uint count = high >> 24;
    put_bytes(w, table_word(i), min(count, 4u));
    put_bytes(w, high, max(count, 4u) - 4u);
  }
}

void write_part(Row x, uint part, inout Writer w) {
  const uint begin = part * PART_BYTES;
  const uint end = min(begin + PART_BYTES, x.text.bytes);
  uint i = begin + bytes_of_last_unit(x.text, begin);
  while (i < end) {
    uint word = vkp_text_word(x.text, int(i));
    const uint wide = word & 0x80808080u;
    uint ascii = 4u;  // bytes before the first one of a wide character
    if (wide != 0u) ascii = uint(findLSB(wide)) / 8u;
    ascii = min(ascii, end - i);
    put_bytes(w, change_ascii(word & 0x7f7f7f7fu), ascii);
    i += ascii;
    if (wide == 0u || i >= end) continue;
    word = vkp_text_word(x.text, int(i));
    const uint bytes = unit_bytes(word);
    put_unit(w, word, bytes);
    i += bytes;
  }
}

#include "strings/generate.glsl"

void main() { generate(); }

// Rows in upper or lower case, by code points up to 0xFFFF without regard to their neighbours. Whatever is not the
// UTF-8 of a code point that changes is copied.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/case.glsl"
#include "strings/writer.glsl"

const uint PART_BYTES = 64;  // of a row; a character that begins in a part belongs to it

struct Row {
  VkpText text;
};

bool evaluate(uint row, out Row x) {
  x.text = vkp_row_text(push.a, row);
  return vkp_valid(push.a, row);
}

uint parts_of(Row x) { return (x.text.bytes + PART_BYTES - 1u) / PART_BYTES; }

// Bytes from `begin` on that belong to a unit which begins before.
uint bytes_of_last_unit(VkpText t, uint begin) {
  for (uint back = 1u; back <= min(begin, 3u); ++back) {
    const uint bytes = unit_bytes(vkp_text_word(t, int(begin - back)));
    if (bytes > back) return bytes - back;
  }
  return 0u;
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

// Most times change_case_bytes.comp has made all but the end.
void main() {
  if (arguments().v.unfit != 0u || push.rows == 0u) {
    generate();
    return;
  }
#ifndef VKP_PASS_write
  if (vkp_group_index() != 0u) return;
  uvec2 begin, end, unused;
  vkp_row_offsets(push.a, 0u, begin, unused);
  vkp_row_offsets(push.a, push.rows - 1u, unused, end);
  store_end(vkp_sub64(end, begin));
#endif
}

// Rows in upper or lower case, by code points up to 0xFFFF without regard to their neighbours.
// Bytes that are not the UTF-8 of a code point that changes are copied. Long rows are written by
// change_case/long.comp.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/change_case/case_growth.glsl"
#include "strings/change_case/case_parts.glsl"

const uint PART_BYTES = 64;  // of a row; a character that begins in a part belongs to it

struct Row {
  VkpText text;
};

bool vkp_evaluate(uint row, out Row x) {
  x.text = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}

uint vkp_parts(Row x) { return (x.text.bytes + PART_BYTES - 1u) / PART_BYTES; }

void vkp_write_part(Row x, uint part, inout VkpWriter w) {
  const uint begin = part * PART_BYTES;
  put_part(x.text, begin + bytes_of_last_unit(x.text, begin), min(begin + PART_BYTES, x.text.bytes),
           w);
}

#define VKP_STRING_ROW Row
#include "strings/long_row_tiles.glsl"
#include "vkprims/strings/generate.glsl"

uint vkp_bytes_of_long(Row x, LongRow y) {
  VkpWords2 growth = VkpWords2(sums_address());
  return x.text.bytes + (growth.v[y.first + y.units] - growth.v[y.first]).x;
}

// Usually change_case/bytes.comp has made all of the result except the end.
void main() {
  if (vkp_arguments().v.unfit != 0u || vkp_push.rows == 0u) {
    vkp_generate();
    return;
  }
  if (vkp_tiles_pass == VKP_STRINGS_PASS_WRITE || vkp_group_index() != 0u) return;
  uvec2 begin, end, unused;
  vkp_row_offsets(vkp_push.a, 0u, begin, unused);
  vkp_row_offsets(vkp_push.a, vkp_push.rows - 1u, unused, end);
  vkp_store_end(vkp_sub64(end, begin));
}

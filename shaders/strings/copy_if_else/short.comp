// Rows of one column or of another, as a mask says, most of which are short.
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"

#include "strings/copy_if_else/choice.glsl"

#define VKP_FIRST_WORDS 6
#define VKP_ROW_WORDS 6
#define VKP_LOADS_CELLS
#define VKP_READS_A
#define VKP_READS_B
#include "vkprims/strings/short_rows.glsl"

// Loads the side that is chosen.
void vkp_load_cells(uint row, out VkpTextCells c) {
  Row x;
  c.a.valid = vkp_evaluate(row, x);
  c.a.text = x.text;
}

VkpShortRow vkp_short_row(const uint row, const VkpTextCells c) {
  VkpShortRow x;
  x.valid = c.a.valid;
  x.bytes = c.a.text.bytes;
  x.is_known = x.bytes <= 4u * VKP_ROW_WORDS;
  x.words = c.head;
  return x;
}

void main() {
  load_scalars();
  vkp_rope();
}

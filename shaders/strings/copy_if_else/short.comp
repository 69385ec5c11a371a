// Rows of one column or of another, as a mask says, most of which are short.
// %VARIANT% STATE word64|word32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"

#include "strings/copy_if_else/choice.glsl"

#define HEAD_WORDS 6
#define ROW_WORDS 6
#define LOADS_CELLS
#include "vkprims/strings/short_rows.glsl"

// Loads the side that is chosen.
void load_cells(uint row, out Cells c) {
  Row x;
  c.a.valid = evaluate(row, x);
  c.a.text = x.text;
}

Short short_row(const uint row, const Cells c) {
  Short x;
  x.valid = c.a.valid;
  x.bytes = c.a.text.bytes;
  x.is_known = x.bytes <= 4u * ROW_WORDS;
  x.words = c.head;
  return x;
}

void main() {
  load_scalars();
  rope();
}

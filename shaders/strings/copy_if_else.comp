// Rows of one column or of another, as a mask says; either may be a scalar.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint scalars = 0;  // the sum of:
const uint FIRST_IS_SCALAR = VKP_STRINGS_FIRST_IS_SCALAR;
const uint SECOND_IS_SCALAR = VKP_STRINGS_SECOND_IS_SCALAR;

#define MOST_PIECES 1u

struct Row {
  VkpText text;
};

// A null bit says no.
bool takes_first(uint row) {
  const uvec2 validity = vkp_u64(arguments().v.mask_validity);
  const uint first_bit = arguments().v.mask_first_bit;
  if (validity != uvec2(0u) && !vkp_bit(validity, first_bit, row)) return false;
  return vkp_bit(vkp_u64(arguments().v.mask_bits), first_bit, row);
}

// (Without branches but where a side is a scalar, so that what several rows load is on its way together.)
bool evaluate(uint row, out Row x) {
  const bool first = takes_first(row);
  if ((scalars & FIRST_IS_SCALAR) != 0u && first) {
    x.text = scalar_text();
    return true;
  }
  if ((scalars & SECOND_IS_SCALAR) != 0u && !first) {
    x.text = second_text();
    return true;
  }
  VkpStrings column = push.b;
  if ((scalars & FIRST_IS_SCALAR) == 0u && first) column = push.a;
  x.text = vkp_row_text(column, row);
  return vkp_valid(column, row);
}

VkpText piece(Row x, uint row, uint k) { return x.text; }

#include "strings/pieces.glsl"

void main() { rope(); }

// Rows of one column or of another, as a mask says; either may be a scalar. This serves both
// kernels of copy_if_else.
#ifndef STRINGS_CHOICE_GLSL
#define STRINGS_CHOICE_GLSL

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint scalars = 0;  // the sum of these flags
const uint FIRST_IS_SCALAR = VKP_STRINGS_FIRST_IS_SCALAR;
const uint SECOND_IS_SCALAR = VKP_STRINGS_SECOND_IS_SCALAR;

#define VKP_MOST_PIECES 1u

#define VKP_STRING_ROW Row
struct Row {
  VkpText text;
};

// Says whether the row of the first column is taken; a null bit of the mask says no.
bool takes_first(const uint row) {
  const uvec2 validity = vkp_u64(vkp_arguments().v.mask_validity);
  const uint first_bit = vkp_arguments().v.mask_first_bit;
  const bool valid = validity == uvec2(0u) || vkp_bit(validity, first_bit, row);
  const bool bit = vkp_bit(vkp_u64(vkp_arguments().v.mask_bits), first_bit, row);
  return valid && bit;
}

VkpText first_scalar, second_scalar;

void load_scalars() {
  first_scalar = vkp_scalar_text();
  second_scalar = vkp_second_text();
}

bool is_scalar(bool first) {
  return (scalars & (first ? FIRST_IS_SCALAR : SECOND_IS_SCALAR)) != 0u;
}

// There are no branches, so that what several rows load is on its way together: where a side is a
// scalar, the row of the other is loaded in any case.
bool vkp_evaluate(uint row, out Row x) {
  const bool first_is_scalar = (scalars & FIRST_IS_SCALAR) != 0u;
  const bool second_is_scalar = (scalars & SECOND_IS_SCALAR) != 0u;
  const bool first = takes_first(row);
  x.text = vkp_no_text();
  bool valid = true;
  if (!first_is_scalar || !second_is_scalar) {
    VkpStrings column = vkp_push.b;
    if (second_is_scalar || first && !first_is_scalar) column = vkp_push.a;
    x.text = vkp_row_text(column, row);
    valid = vkp_valid(column, row);
  }
  if (first_is_scalar && first) x.text = first_scalar;
  if (second_is_scalar && !first) x.text = second_scalar;
  return valid || is_scalar(first);
}

VkpText vkp_piece(const Row x, const uint row, const uint k) { return x.text; }

#endif

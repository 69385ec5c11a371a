// String kernels that make a bit or a number of each row, and copy the validity.
#ifndef STRINGS_MAP_GLSL
#define STRINGS_MAP_GLSL

#include "strings/long_rows.glsl"
#include "vkprims/strings/row_bits.glsl"

// Says whether row `row` is left to numbers/long.comp, which comes behind.
bool is_left(uint row, VkpText t) { return is_known(long_row(row, t)); }

#include "vkprims/strings/store_row_bits.glsl"

#endif

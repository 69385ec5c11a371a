// The positions at which slices of characters begin and end, for slice.comp and slice/long.comp.
#ifndef STRINGS_SLICE_POSITIONS_GLSL
#define STRINGS_SLICE_POSITIONS_GLSL

#include "strings/slice/slice.abi.h"
#include "vkprims/strings/strings.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint per_row = 0;  // not 0: positions are columns

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer SlicePositionsAt {
  SlicePositions v;
};

const int NO_STOP = 0x7fffffff;

// Returns number `row` of a column; `otherwise` if there is no column.
int number_of(const uvec2 column, const uint row, const int otherwise) {
  if (column == uvec2(0u)) return otherwise;
  return int(VkpWords(vkp_add64(column, vkp_mul64(row, 4u))).v[0]);
}

void positions_of(uint row, out int start, out int stop) {
  start = vkp_arguments().v.start;
  stop = vkp_arguments().v.stop;
  if (per_row == 0u) return;
  SlicePositionsAt columns = SlicePositionsAt(vkp_scalar_text().at);
  start = max(number_of(vkp_u64(columns.v.starts), row, 0), 0);
  stop = number_of(vkp_u64(columns.v.stops), row, NO_STOP);
  if (stop < 0) stop = NO_STOP;
}

// Returns a position counted from the beginning; `position` may count from the end of `length`
// characters.
uint number_at(int position, uint length) {
  return position >= 0 ? uint(position) : length - min(length, uint(-position));
}

#endif

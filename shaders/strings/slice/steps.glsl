// Steps and positions of slices by steps. Characters are numbered in the order of the result: from
// the first one on, or from the last one back.
#ifndef STRINGS_SLICE_STEPS_GLSL
#define STRINGS_SLICE_STEPS_GLSL

#include "strings/slice/slice.abi.h"
#include "vkprims/strings/strings.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer SlicePositionsAt {
  SlicePositions v;
};

// The result is unsigned, as the least int has no counterpart.
uint negated(int x) { return 0u - uint(x); }

int step_of_slice() { return SlicePositionsAt(vkp_scalar_text().at).v.step; }
bool is_backward() { return step_of_slice() < 0; }

// Returns the number of the character at a position, which may count from the end.
uint number_at(int position, uint length) {
  if (is_backward()) {
    if (position < 0) return uint(~position);
    return length - min(length, uint(position) + 1u);
  }
  if (position >= 0) return uint(position);
  return length - min(length, negated(position));
}

#endif

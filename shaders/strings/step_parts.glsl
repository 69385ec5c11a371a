// Which characters of a long row a slice by steps takes, as numbers from the front, whichever way it goes; and how many bytes these
// have. For slice_step.comp and slice_step_long.comp.
//
// Needs team_marks.glsl with character_marks.glsl.
#ifndef STRINGS_STEP_PARTS_GLSL
#define STRINGS_STEP_PARTS_GLSL

#include "strings/slice.abi.h"
#include "strings/strings.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer SlicePositionsAt { SlicePositions v; };

// (Unsigned, as the least int has no counterpart.)
uint negated(int x) { return 0u - uint(x); }

int step_of_slice() { return SlicePositionsAt(scalar_text().at).v.step; }
bool is_backward() { return step_of_slice() < 0; }

// The number of the character at a position, which may count from the end.
uint number_at(int position, uint length) {
  if (is_backward()) {
    if (position < 0) return uint(~position);
    return length - min(length, uint(position) + 1u);
  }
  if (position >= 0) return uint(position);
  return length - min(length, negated(position));
}

// `count` characters from number `first` on, each `step` behind the one before.
struct Steps {
  uint first, count, step;
};

Steps steps_of(uint length) {
  const uint first = number_at(arguments().v.start, length);
  const uint end = min(number_at(arguments().v.stop, length), length);
  Steps s;
  s.step = is_backward() ? negated(step_of_slice()) : uint(step_of_slice());
  s.count = first < end ? (end - first - 1u) / s.step + 1u : 0u;
  s.first = first;
  if (is_backward() && s.count != 0u) s.first = length - 1u - (first + (s.count - 1u) * s.step);
  return s;
}

// How many of them come before character `number`.
uint steps_before(Steps s, uint number) {
  return number <= s.first ? 0u : min((number - s.first - 1u) / s.step + 1u, s.count);
}

// Bits of the bytes of these characters in a part of `bytes` bytes, with bits `starts` where some begin and `before` before them.
uint chosen_bits(Steps s, uint starts, uint bytes, uint before) {
  if (s.count == 0u) return 0u;
  uint number = before;
  uint rest = starts;
  if ((rest & 1u) == 0u) {
    --number;
    rest |= 1u;
  }
  const uint end = s.first + (s.count - 1u) * s.step;  // the last one
  uint wanted = s.first + steps_before(s, number) * s.step;
  uint chosen = 0u;
  while (rest != 0u && wanted <= end) {
    const uint from = rest & ~(rest - 1u);
    rest &= rest - 1u;
    if (number == wanted) {
      chosen |= (rest == 0u ? bits_before(0u, bytes) : (rest & ~(rest - 1u)) - 1u) & ~(from - 1u);
      wanted += s.step;
    }
    ++number;
  }
  return chosen;
}

// ---- What a row has before a block: who looks at the row leaves it there. A block belongs to the first row that asks.

// By one invocation.
void leave_before_block(uint k, uint row, uint bytes) {
  VkpSharedWords place = VkpSharedWords(place_of_block(k));
  const uint owner = atomicCompSwap(place.v[0], 0u, row + 1u, gl_ScopeQueueFamily, 0, 0, 0, 0);
  if (owner == 0u || owner == row + 1u) atomicStore(place.v[1], bytes, gl_ScopeQueueFamily, 0, 0);
}

bool knows_block(uint k, uint row) { return VkpWords(place_of_block(k)).v[0] == row + 1u; }
uint bytes_before_block(uint k) { return VkpWords(place_of_block(k)).v[1]; }

#endif

// Sums over the bytes of a text by the whole workgroup, two at a time: of how many characters begin, say, or how much they grow.
//
// Where there are blocks (blocks.glsl), only the ends of a long text are looked at.
//
// Needs
//   uvec2 sum_of_part(VkpText t, uint begin, uint end)  of up to 32 bytes of a text, by one invocation. What a byte adds
//                                                       depends on the one before and bytes_behind() that follow, and may
//                                                       depend on that it is the first one
//   uint bytes_behind()                                 the same for all rows
//   uvec2 fold_of_team(uvec2 sum)                       of all invocations, to all of them
#ifndef STRINGS_TEAM_SUMS_GLSL
#define STRINGS_TEAM_SUMS_GLSL

#include "strings/blocks.glsl"

uvec2 sum_of_part(VkpText t, uint begin, uint end);
uint bytes_behind();
uvec2 fold_of_team(uvec2 sum);

// ---- Sums, with barriers.

// Of bytes begin … end - 1 of a row of a. (In one loop, as compilers copy what is called twice.)
uvec2 sum_of_bytes(VkpText t, uint begin, uint end) {
  const Blocks x = blocks_of(t, begin, end, bytes_behind());
  const uint behind = x.begin + (x.count << arguments().v.block_shift);
  uvec2 whole = uvec2(0u);
  if (x.count != 0u) whole = sum_before_block(x.first + x.count) - sum_before_block(x.first);
  uvec2 sum = uvec2(0u);
  uint to = x.count != 0u ? x.begin : end;
  for (uint i = begin; i < end;) {
    const uint from = i + 32u * gl_LocalInvocationIndex;
    if (from < to) sum += sum_of_part(t, from, min(from + 32u, to));
    i += 32u * gl_WorkGroupSize.x;
    if (i >= to && to != end) {
      i = behind;
      to = end;
    }
  }
  return whole + fold_of_team(sum);
}

#endif

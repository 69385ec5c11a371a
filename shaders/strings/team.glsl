// Questions of a part of a text, bytes begin … end - 1, to a team: the subgroup, whose lanes look at 32 bytes each at a time.
// Of long rows (long_rows.glsl), and of whatever is too long for a lane.
//
// All lanes call with the same arguments and get the same answer. Each function makes a turn for every 32 bytes of each lane,
// so that parts of VKP_STRINGS_PART_BYTES take 1 to 8 turns; longer texts are to be cut into parts.
//
// Needs what mark_words.glsl does.
#ifndef STRINGS_TEAM_GLSL
#define STRINGS_TEAM_GLSL

#include "strings/mark_words.glsl"
#include "vkprims/lanes.glsl"

// Bytes that the lanes look at in a turn; of this lane from `first` on.
uint team_bytes() { return 32u * gl_SubgroupSize; }
uint own_bytes(uint first) { return first + 32u * gl_SubgroupInvocationID; }

// The marks of 32 bytes of a text from byte `i` on, of those before `end`; `marked`: or of bytes that are not marked.
uint team_marks(VkpText t, uint i, uint end, bool marked) {
  if (i >= end) return 0u;
  uint m = marks_in_memory(t, i);
  if (!marked) m = ~m;
  return end - i < 32u ? m & ~(~0u << (end - i)) : m;
}

// How many marks there are.
uint team_count(VkpText t, uint begin, uint end) {
  uint n = 0u;
  for (uint first = begin; first < end; first += team_bytes()) n += bitCount(team_marks(t, own_bytes(first), end, true));
  return vkp_sum_of_lanes(n);
}

// The first byte that is marked, or is not; VKP_NPOS: none.
uint team_first(VkpText t, uint begin, uint end, bool marked) {
  uint place = VKP_NPOS;
  for (uint first = begin; first < end && place == VKP_NPOS; first += team_bytes()) {
    const uint i = own_bytes(first);
    const uint m = team_marks(t, i, end, marked);
    place = vkp_least_of_lanes(m == 0u ? VKP_NPOS : i + uint(findLSB(m)));
  }
  return place;
}

// The last one, or VKP_NPOS.
uint team_last(VkpText t, uint begin, uint end, bool marked) {
  uint behind = 0u;  // of the place
  for (uint rest = end; rest > begin && behind == 0u;) {
    const uint first = begin + (rest - 1u - begin) / team_bytes() * team_bytes();
    const uint i = own_bytes(first);
    const uint m = team_marks(t, i, rest, marked);
    behind = vkp_most_of_lanes(m == 0u ? 0u : i + uint(findMSB(m)) + 1u);
    rest = first;
  }
  return behind - 1u;
}

// Mark number `n`, from 0 on; VKP_NPOS: there are not so many.
uint team_nth(VkpText t, uint begin, uint end, uint n) {
  uint place = VKP_NPOS;
  for (uint first = begin; first < end && place == VKP_NPOS; first += team_bytes()) {
    const uint i = own_bytes(first);
    uint m = team_marks(t, i, end, true);
    const uint upto = vkp_sum_upto_lane(bitCount(m));
    const uint before = upto - bitCount(m);
    uint own = VKP_NPOS;
    if (n >= before && n < upto) {
      for (uint left = n - before; left != 0u; --left) m &= m - 1u;
      own = i + uint(findLSB(m));
    }
    place = vkp_least_of_lanes(own);
    n -= min(n, subgroupShuffle(upto, gl_SubgroupSize - 1u));
  }
  return place;
}

#endif

// This finds which characters of a long row a slice by steps takes, as numbers from the front,
// whichever way it goes; and how many bytes these have. The characters of all units are summed up
// already (long_sums.glsl); what the steps take of the units before each unit is the second sum
// (unit_sums.comp), which lies where results are.
#ifndef STRINGS_STEP_PARTS_GLSL
#define STRINGS_STEP_PARTS_GLSL

#include "strings/long_sums.glsl"
#include "strings/slice/steps.glsl"
#include "strings/text_bytes.glsl"

// Steps are `count` characters from number `first` on, each `step` behind the one before.
struct Steps {
  uint first, count, step;
};

Steps steps_of(uint length) {
  const uint first = number_at(vkp_arguments().v.start, length);
  const uint end = min(number_at(vkp_arguments().v.stop, length), length);
  Steps s;
  s.step = is_backward() ? negated(step_of_slice()) : uint(step_of_slice());
  s.count = first < end ? (end - first - 1u) / s.step + 1u : 0u;
  s.first = first;
  if (is_backward() && s.count != 0u) s.first = length - 1u - (first + (s.count - 1u) * s.step);
  return s;
}

// Returns how many of them come before character `number`.
uint steps_before(Steps s, uint number) {
  return number <= s.first ? 0u : min((number - s.first - 1u) / s.step + 1u, s.count);
}

// Returns the bits of the bytes of these characters in a part of `bytes` bytes. Bits `starts` are
// those of bytes that begin a character; `before` characters begin before the part.
uint chosen_bits(Steps s, uint starts, uint bytes, uint before) {
  if (s.count == 0u) return 0u;
  uint number = before;
  uint rest = starts;
  if ((rest & 1u) == 0u) {
    --number;
    rest |= 1u;
  }
  const uint end = s.first + (s.count - 1u) * s.step;  // last character that is taken
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

// Says whether every byte of a row is a character. Then nothing has to be summed up for the steps.
bool is_single(VkpText t, LongRow x) { return sum_of_units(x, x.units).x == t.bytes; }

// Returns the same bits for bytes from … to - 1 of such a row.
uint chosen_single(Steps s, uint from, uint to) {
  const uint n = steps_before(s, from);
  if (n == s.count) return 0u;
  const uint wanted = s.first + n * s.step;
  const uint end = min(to, s.first + (s.count - 1u) * s.step + 1u);
  if (wanted >= end) return 0u;
  uint every = 1u;
  for (uint distance = s.step; distance < 32u; distance *= 2u) every |= every << distance;
  return every << (wanted - from) & bits_before(from, end);
}

// A part of up to 32 bytes: the bits of those that begin characters, and of those that are taken.
struct StepPart {
  uint starts, chosen;
};

// Returns the part of bytes from … to - 1. Every invocation of the workgroup calls it, one part
// behind the other; `before` are the characters before all of these parts, and then before the next
// ones. It has barriers.
StepPart step_part(Steps s, VkpText t, uint from, uint to, inout uint before) {
  StepPart p;
  p.starts = character_starts(t, from, to);
  const VkpGroupScan scan = vkp_scan_workgroup(uvec2(bitCount(p.starts), 0u));
  p.chosen = from < to ? chosen_bits(s, p.starts, to - from, before + scan.before.x) : 0u;
  before += scan.total.x;
  return p;
}

Steps steps_of_row(LongRow x) { return steps_of(sum_of_units(x, x.units).x); }

// These return the characters of a row before a unit, and what the steps take of the bytes before
// it.
uint characters_before(LongUnit x) { return sum_of_units(x.of, x.begin >> unit_shift()).x; }
uint chosen_before(LongUnit x) {
  VkpWords2 chosen = VkpWords2(results_address());
  return (chosen.v[x.of.first + (x.begin >> unit_shift())] - chosen.v[x.of.first]).x;
}

#endif

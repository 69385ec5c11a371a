// Slices that take every step-th character, as in Python: from start to stop by steps, which may
// go backward.
//
// Characters are numbered in the order of the result: from the first one on, or from the last one
// back.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_SUMS_BY_HALVES
#include "strings/long_rows.glsl"
#include "strings/slice/steps.glsl"

const int NO_START = 0x7fffffff;  // backward: the slice begins at the end

#define VKP_STRING_ROW Row
struct Row {
  VkpText text;
  uint first;  // first character of the result
  uint end;    // characters from this one on are not in it
  bool is_ascii;
};

// For a long row, step_parts.glsl finds out which characters these are.
bool vkp_evaluate(uint row, out Row x) {
  x = Row(vkp_no_text(), 0u, 0u, false);
  if (!vkp_valid(vkp_push.a, row)) return false;
  x.text = vkp_row_text(vkp_push.a, row);
  const int start = vkp_arguments().v.start;
  const int stop = vkp_arguments().v.stop;
  const bool from_other_end =
      is_backward() ? (start >= 0 && start != NO_START) || stop >= 0 : start < 0 || stop < 0;
  uint length = 0u;
  if (from_other_end && !is_known(long_row(row, x.text))) length = vkp_length_cp(x.text);
  x.first = number_at(start, length);
  x.end = number_at(stop, length);
  return true;
}

bool are_neighbours() { return abs(step_of_slice()) == 1; }

uint chosen_before(Row x, uint number) {
  const uint step = is_backward() ? negated(step_of_slice()) : uint(step_of_slice());
  const uint end = min(number, x.end);
  if (end <= x.first) return 0u;
  return are_neighbours() ? end - x.first : (end - x.first - 1u) / step + 1u;
}

#include "strings/slice/character_lines.glsl"

Row row_of_lane(Row x, uint lane) {
  Row other;
  other.text.at = subgroupShuffle(x.text.at, lane);
  other.text.bytes = subgroupShuffle(x.text.bytes, lane);
  other.first = subgroupShuffle(x.first, lane);
  other.end = subgroupShuffle(x.end, lane);
  other.is_ascii = x.is_ascii;
  return other;
}

// Returns the first character of the result from `number` on; no character has a number of 2^31 or
// more.
uint chosen_from(Row x, uint number, uint step) {
  if (number <= x.first || are_neighbours()) return max(x.first, number);
  const uint past = (number - x.first) % step;
  return number + mix(step - past, 0u, past == 0u);
}

// Returns which of `count` characters, from number `before` of the row on, are in the result, as
// bits.
uint chosen_of(Row x, uint before, uint count, uint step) {
  const uint wanted = chosen_from(x, before, step);
  const uint end = min(x.end, before + count);
  if (wanted >= end) return 0u;
  uint every = 1u;
  for (uint distance = step; distance < 32u; distance *= 2u) every |= every << distance;
  return every << (wanted - before) & bits_below(end - before);
}

uint chosen_bytes(Part p) {
  if (p.bytes == 0u) return 0u;
  if (is_backward()) {
    return chosen_of(p.row, p.before, p.bytes, negated(step_of_slice())) << (PART_BYTES - p.bytes);
  }
  const uint step = uint(step_of_slice());
  if (is_all_bytes(p)) return chosen_of(p.row, p.before, p.bytes, step);
  // This goes character by character; the part may begin within one, and end so.
  uint number = p.before;
  uint rest = p.starts;  // where later characters begin
  if ((rest & 1u) == 0u) {
    --number;
    rest |= 1u;
  }
  uint wanted = chosen_from(p.row, number, step);
  uint chosen = 0u;
  while (rest != 0u && wanted < p.row.end) {
    const uint from = rest & ~(rest - 1u);
    rest &= rest - 1u;
    if (number == wanted) {
      chosen |= (rest == 0u ? bits_below(p.bytes) : (rest & ~(rest - 1u)) - 1u) & ~(from - 1u);
      wanted += step;
    }
    ++number;
  }
  return chosen;
}

// Puts the characters of a part backward.
void write_characters(Part p, inout VkpWriter w) {
  uint number = p.before;
  uint rest = p.starts;  // where later characters begin
  uint edge = p.end;     // end of the next of these
  uint wanted = chosen_from(p.row, number, negated(step_of_slice()));
  while (rest != 0u && wanted < p.row.end) {
    const uint last = uint(findMSB(rest));
    if (number == wanted) {
      put_text(w, p.row.text, p.begin + last, edge);
      wanted += negated(step_of_slice());
    }
    rest &= ~(1u << last);
    edge = p.begin + last;
    ++number;
  }
}

// Returns how many bytes the steps take, from the second sums: see step_parts.glsl.
uint vkp_bytes_of_long(Row x, LongRow y) {
  VkpWords2 chosen = VkpWords2(results_address());
  return (chosen.v[y.first + y.units] - chosen.v[y.first]).x;
}

// Usually slice/bytes.comp has made the whole result, where it was asked to.
void main() {
  if ((vkp_arguments().v.flags & VKP_STRINGS_WAS_TRIED) != 0u && vkp_arguments().v.unfit == 0u) {
    return;
  }
  vkp_run_string_tiles();
}

// Slices of every so many characters, as Python's: from start to stop by steps, which may go backward.
//
// Characters are numbered in the order of the result: from the first one on, or from the last one back.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"
#include "strings/slice.abi.h"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer SlicePositionsAt { SlicePositions v; };

const int NO_START = 0x7fffffff;  // backward

struct Row {
  VkpText text;
  uint first;  // the first character of the result,
  uint end;    // and those from this one on are not in it
};

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

bool evaluate(uint row, out Row x) {
  x = Row(vkp_no_text(), 0u, 0u);
  if (!vkp_valid(push.a, row)) return false;
  x.text = vkp_row_text(push.a, row);
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
  const bool from_other_end =
      is_backward() ? (start >= 0 && start != NO_START) || stop >= 0 : start < 0 || stop < 0;
  uint length = 0u;
  if (from_other_end) length = vkp_length_cp(x.text);
  x.first = number_at(start, length);
  x.end = number_at(stop, length);
  return true;
}

#include "strings/character_parts.glsl"

Row row_of_lane(Row x, uint lane) {
  Row other;
  other.text.at = subgroupShuffle(x.text.at, lane);
  other.text.bytes = subgroupShuffle(x.text.bytes, lane);
  other.first = subgroupShuffle(x.first, lane);
  other.end = subgroupShuffle(x.end, lane);
  return other;
}

// The first character of the result from `number` on; no character has a number of 2^31 or more.
uint chosen_from(Row x, uint number, uint step) {
  if (number <= x.first) return x.first;
  const uint past = (number - x.first) % step;
  return past == 0u ? number : number + (step - past);
}

// Whether all bytes of the part are characters. (Backward, the last one may go on in the part behind.)
bool is_all_bytes(Part p) {
  const uint all = p.bytes == PART_BYTES ? ~0u : ~(~0u << p.bytes);
  return p.starts == all && (!is_backward() || p.end == p.begin + p.bytes);
}

uint reversed_bytes(uint x) { return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24; }

// Of such a part every step-th, from character `wanted` of the row on: without a look at the others.
void write_chosen_bytes(Part p, uint wanted, uint step, inout Writer w) {
  const uint end = min(p.row.end, p.before + p.bytes);
  if (wanted >= end) return;
  const uint count = (end - 1u - wanted) / step + 1u;
  if (w.counts) {
    w.at += int(count);
    return;
  }
  const bool backward = is_backward();
  const uint each = step == 1u ? 4u : 1u;
  for (uint k = 0u; k < count; k += each) {
    const uint ahead = wanted - p.before + k * step;
    const uint place = backward ? p.begin + p.bytes - 1u - ahead : p.begin + ahead;
    uint word = vkp_text_word(p.row.text, backward ? int(place) - 3 : int(place));
    if (backward) word = reversed_bytes(word);
    put_bytes(w, word, min(count - k, each));
  }
}

// Character by character in the order of the result. Forward, the part may begin within one, and end so.
void write_part(Part p, inout Writer w) {
  const bool backward = is_backward();
  const uint step = backward ? negated(step_of_slice()) : uint(step_of_slice());
  if (is_all_bytes(p)) {
    write_chosen_bytes(p, chosen_from(p.row, p.before, step), step, w);
    return;
  }
  uint number = p.before;
  uint rest = p.starts;  // where those to come begin
  uint edge = p.end;     // of the one before
  uint left = bitCount(rest);
  if (!backward) {
    if ((rest & 1u) == 0u) --number;
    rest &= ~1u;
    edge = p.begin;
    left = bitCount(rest) + 1u;
  }
  uint wanted = chosen_from(p.row, number, step);
  for (; left != 0u && wanted < p.row.end; --left) {
    uint i = uint(backward ? findMSB(rest) : findLSB(rest));
    if (rest == 0u) i = p.bytes;
    const uint other = p.begin + i;
    if (number == wanted) {
      put_text(w, p.row.text, min(edge, other), max(edge, other));
      wanted += step;
    }
    rest = backward ? rest & ~(1u << i) : rest & (rest - 1u);
    edge = other;
    ++number;
  }
}

void main() { run_tiles(); }

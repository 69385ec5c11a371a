// Slices of every so many characters of long rows, behind slice_step.comp: see there, and long_outputs.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#define ONLY_SUMS
#include "strings/long_sums.glsl"
#include "strings/long_outputs.glsl"
#include "strings/step_parts.glsl"

// Puts bytes begin … end - 1 of a text.
void put_text(inout Writer w, VkpText t, uint begin, uint end) {
  for (uint i = begin; i < end; i += 4u) put_bytes(w, vkp_text_word(t, int(i)), min(end - i, 4u));
}

// The bytes of a part that are chosen, at `position` of the result; or, of single bytes, from their end back.
void store_bytes(uint word[8], uint chosen, uvec2 position, bool backward) {
  Writer w = begin_words(position, bitCount(chosen));
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    const uint i = backward ? 7u - k : k;
    uint x = word[0];
    [[unroll]] for (uint j = 1u; j < 8u; ++j) x = j == i ? word[j] : x;
    uint bits = chosen >> (4u * i) & 15u;
    if (backward) {
      x = vkp_reversed_bytes(x);
      bits = bitfieldReverse(bits) >> 28;
    }
    if (bits != 0u) put_bytes(w, packed(x, bits), bitCount(bits));
  }
  end_bytes(w);
}

// Backward: the characters that begin in a part, whose result ends before `end` of the result.
void store_characters(VkpText t, uint begin, uint starts, uint chosen, uvec2 end) {
  for (uint rest = starts & chosen; rest != 0u; rest &= rest - 1u) {
    const uint first = uint(findLSB(rest));
    const uint others = starts & ~(2u << first) + 1u & ~((2u << first) - 1u);
    uint behind = begin + (first == 31u || others == 0u ? 32u : uint(findLSB(others)));
    if (first == 31u || others == 0u) {
      while (behind < t.bytes && !vkp_is_start(vkp_text_byte(t, behind))) ++behind;
      behind = min(behind, t.bytes);
    }
    const uint bytes = behind - (begin + first);
    end = vkp_sub64(end, uvec2(bytes, 0u));
    Writer w = begin_words(end, bytes);
    put_text(w, t, begin + first, behind);
    end_bytes(w);
  }
}

// What the steps take of a part, whose first byte comes behind `at` bytes of the `total` ones that they take of the row.
void store_part(VkpText t, uint from, uint to, StepPart p, uvec2 position, uint at, uint total) {
  uint word[8];
  load_part(t, from, word);
  const bool single = p.starts == bits_before(from, to) &&
                      (from + 32u >= t.bytes || to - from < 32u || vkp_is_start(vkp_text_byte(t, from + 32u)));
  if (!is_backward()) {
    store_bytes(word, p.chosen, vkp_add64(position, at), false);
  } else if (single && to - from >= 32u) {
    store_bytes(word, p.chosen, vkp_add64(position, total - at - bitCount(p.chosen)), true);
  } else {
    // The bytes of a character that began before are stored by the part in which it begins.
    const uint own_starts = p.starts & p.chosen;
    const uint ahead = own_starts == 0u ? 0u : bitCount(p.chosen & (own_starts & 0u - own_starts) - 1u);
    store_characters(t, from, p.starts, p.chosen, vkp_add64(position, total - at - ahead));
  }
}

void store_unit(LongUnit x, uvec2 position) {
  const Steps s = steps_of_row(x.of);
  const bool single = is_single(x.text, x.of);
  const uint total = vkp_sub64(offset_of(x.row + 1u), position).x;
  uint before = characters_before(x);
  uint at = chosen_before(x);
  for (uint i = x.begin; i < x.end; i += 32u * gl_WorkGroupSize.x) {
    const uint from = min(i + 32u * own(), x.end);
    const uint to = min(from + 32u, x.end);
    StepPart p;
    uint own_at;
    if (single) {
      p = StepPart(bits_before(from, to), from < to ? chosen_single(s, from, to) : 0u);
      own_at = steps_before(s, from);
    } else {
      p = step_part(s, x.text, from, to, before);
      const VkpGroupScan scan = vkp_scan_workgroup(uvec2(bitCount(p.chosen), 0u));
      own_at = at + scan.before.x;
      at += scan.total.x;
    }
    if (p.chosen != 0u) store_part(x.text, from, to, p, position, own_at, total);
  }
}

void main() { store_long_rows(); }

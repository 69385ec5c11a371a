// Slices that take every step-th character of long rows, behind slice/step.comp: see there, and
// long_outputs.glsl.
// %UNROLL% driver
// %INLINE% vkp_scan_workgroup
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/long_sums.glsl"
#include "strings/long_outputs.glsl"
#include "strings/slice/step_parts.glsl"

uvec2 marks_of_part(const VkpText t, const uint begin, const uint end) {
  return uvec2(character_starts(t, begin, end), 0u);
}

// Puts bytes begin … end - 1 of a text.
void put_text(inout VkpWriter w, VkpText t, uint begin, uint end) {
  for (uint i = begin; i < end; i += 4u) {
    vkp_put_bytes(w, vkp_text_word(t, int(i)), min(end - i, 4u));
  }
}

// Stores the bytes of a part that are chosen, at `position` of the result; with `backward`, which
// is for single bytes, from their end back.
void store_bytes(uint word[8], uint chosen, uvec2 position, bool backward) {
  VkpWriter w = begin_words(position, bitCount(chosen));
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    const uint i = backward ? 7u - k : k;
    uint x = word[0];
    [[unroll]] for (uint j = 1u; j < 8u; ++j) x = j == i ? word[j] : x;
    uint bits = chosen >> (4u * i) & 15u;
    if (backward) {
      x = vkp_reversed_bytes(x);
      bits = bitfieldReverse(bits) >> 28;
    }
    if (bits != 0u) vkp_put_bytes(w, vkp_packed(x, bits), bitCount(bits));
  }
  vkp_end_bytes(w);
}

// Backward, a character of several bytes ends where it would begin in the other direction. So each
// invocation stores the bytes of its own part, whichever character they are of. It has to know
// where the character that comes in from the left begins and where the one that goes out to the
// right ends; hostile text may have both far away.
struct Ends {
  uint begin, end;  // bytes of the row
};

shared uint starts_of_parts[gl_WorkGroupSize.x];
shared uint parts_with_starts[gl_WorkGroupSize.x / 32u + 1u];

// Returns where the characters begin that are open at the ends of bytes begin … end - 1 of a row:
// the one before byte `begin`, if none begins there, and the first one from `end` on. Their numbers
// are `before` - 1 and `upto`. It has barriers.
Ends open_ends(LongUnit x, uint begin, uint end, uint before, uint upto) {
  // In UTF-8 they are at most 3 bytes away.
  const uint lowest = max(begin, 4u) - 4u;
  while (begin > lowest && !vkp_is_start(vkp_text_byte(x.text, begin))) --begin;
  const uint highest = min(end + 4u, x.text.bytes);
  while (end < highest && !vkp_is_start(vkp_text_byte(x.text, end))) ++end;
  const bool found[] = bool[](begin > lowest || begin == 0u, end < highest || end == x.text.bytes);
  [[dont_unroll]] for (uint i = 0u; i < 2u; ++i) {
    if (found[i]) continue;
    const uint at = nth_of_row(x.text, x.of, i == 0u ? before - 1u : upto, 0u);
    if (i == 0u) {
      begin = at;
    } else {
      end = at;
    }
  }
  return Ends(begin, end);
}

// Returns what is open at the ends of this invocation's part, where the parts of all invocations go
// from byte `begin` of the row to byte `end`. `before` characters begin before these parts, and
// `upto` before byte `end`. All invocations call it. It has barriers.
Ends ends_of_part(LongUnit x, uint begin, uint end, uint starts, uint before, uint upto) {
  barrier();
  starts_of_parts[own()] = starts;
  if (own() <= gl_WorkGroupSize.x / 32u) parts_with_starts[own()] = 0u;
  barrier();
  if (starts != 0u) {
    atomicOr(parts_with_starts[own() / 32u], 1u << own() % 32u, gl_ScopeWorkgroup, 0, 0);
  }
  barrier();
  uint left = NO_ROW;
  uint right = NO_ROW;
  // All words are read: see vkp_fold_subgroups().
  for (uint i = 0u; i <= gl_WorkGroupSize.x / 32u; ++i) {
    const uint bits = parts_with_starts[i];
    const uint below = bits & bits_before(min(32u * i, own()), own());
    const uint above = bits & ~bits_before(min(32u * i, own() + 1u), own() + 1u);
    if (below != 0u) left = 32u * i + uint(findMSB(below));
    if (above != 0u && right == NO_ROW) right = 32u * i + uint(findLSB(above));
  }
  Ends e = open_ends(x, begin, end, before, upto);
  if (left != NO_ROW) e.begin = begin + 32u * left + uint(findMSB(starts_of_parts[left]));
  if (right != NO_ROW) e.end = begin + 32u * right + uint(findLSB(starts_of_parts[right]));
  return e;
}

// Stores the chosen bytes from … to - 1; those of the row from byte `from` on end before `end` of
// the result.
void store_pieces(VkpText t, uint from, uint to, StepPart p, Ends open, uvec2 end) {
  uint character = open.begin;
  uint rest = p.starts;  // characters that begin behind
  for (uint at = from; at < to;) {
    const uint i = at - from;
    if ((p.starts >> i & 1u) != 0u) character = at;
    rest &= ~1u << i;
    const uint behind = rest == 0u ? open.end : from + uint(findLSB(rest));
    const uint upto = min(behind, to);
    if ((p.chosen >> i & 1u) != 0u) {
      VkpWriter w =
          begin_words(vkp_sub64(vkp_add64(end, at - character), uvec2(behind - at, 0u)), upto - at);
      put_text(w, t, at, upto);
      vkp_end_bytes(w);
      end = vkp_sub64(end, uvec2(upto - at, 0u));
    }
    at = upto;
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
    Ends open = Ends(from, to);
    if (single) {
      p = StepPart(bits_before(from, to), from < to ? chosen_single(s, from, to) : 0u);
      own_at = steps_before(s, from);
    } else {
      const uint before_all = before;
      p = step_part(s, x.text, from, to, before);
      const VkpGroupScan scan = vkp_scan_workgroup(uvec2(bitCount(p.chosen), 0u));
      own_at = at + scan.before.x;
      at += scan.total.x;
      if (is_backward()) {
        const uint end = min(i + 32u * gl_WorkGroupSize.x, x.end);
        open = ends_of_part(x, i, end, p.starts, before_all, before);
      }
    }
    if (p.chosen == 0u) continue;
    const bool bytes_only = p.starts == bits_before(from, to) && open.end == to;
    if (is_backward() && !bytes_only) {
      store_pieces(x.text, from, to, p, open, vkp_add64(position, total - own_at));
    } else {
      uint word[8];
      load_part(x.text, from, word);
      if (is_backward()) own_at = total - own_at - bitCount(p.chosen);
      store_bytes(word, p.chosen, vkp_add64(position, own_at), is_backward());
    }
  }
}

void main() { store_long_rows(); }

// Slices of every so many characters of long rows, behind slice_step.comp: see there, and store_long_rows.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 left, uvec2 right) { return left + right; }

#include "vkprims/core.glsl"
#include "vkprims/workgroup.glsl"

uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

#define SEARCHES_MARKS
#include "strings/character_marks.glsl"
#include "strings/direct_words.glsl"
#include "strings/store_long_rows.glsl"
#include "strings/step_parts.glsl"

uvec2 fold_of_team(uvec2 sum) { return vkp_fold_subgroups(vkp_subgroup_fold(sum)); }

// Bytes begin … end - 1 of a text, by this invocation.
void put_text(inout Writer w, VkpText t, uint begin, uint end) {
  for (uint i = begin; i < end; i += 4u) put_bytes(w, vkp_text_word(t, int(i)), min(end - i, 4u));
}

// Of the bytes of a word those that have a bit set, one after the other; what is behind them is anything.
uint packed(uint x, uint bits) {
  const uint low = ((bits & 1u) != 0u ? x : x >> 8) & ~(~0u << (8u * bitCount(bits & 3u)));
  const uint high = (bits & 4u) != 0u ? x >> 16 : x >> 24;
  return low | high << (8u * bitCount(bits & 3u));
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

// Where to begin: at `begin`, if it is known how many bytes of the result come before; else at the last block for which it is, or
// with the row.
uint known_place(VkpText t, uint row, uint begin, out uint bytes) {
  bytes = 0u;
  const Blocks x = blocks_of(t, 0u, t.bytes, bytes_behind());
  if (x.count == 0u || begin < x.begin) return 0u;
  const uint k = min(begin - x.begin >> arguments().v.block_shift, x.count - 1u);
  if (!knows_block(x.first + k, row)) return 0u;
  bytes = bytes_before_block(x.first + k);
  return x.begin + (k << arguments().v.block_shift);
}

void store_part(uint row, VkpText t, uint begin, uint end, uvec2 position) {
  if (begin >= end) return;
  const uint total = vkp_sub64(offset_of(row + 1u), position).x;
  uint passed;
  const uint length = sum_of_bytes(t, 0u, t.bytes).x;
  const Steps s = steps_of(length);
  uint bytes;  // of the result before `first`, of characters in the order of the row
  uint first = begin;
  if (length == t.bytes) {
    bytes = steps_before(s, begin);
  } else if (s.step == 1u) {
    const uint chosen = nth_of_row(t, 0u, s.first, 0u, passed);
    bytes = min(begin - min(begin, chosen), total);
  } else {
    first = known_place(t, row, begin, bytes);
  }
  uint before = 0u;
  if (first != 0u) before = sum_of_bytes(t, 0u, first).x;
  uint to;
  for (uint i = first; i < end; i = to) {
    to = min(i + 32u * gl_WorkGroupSize.x, end);
    if (i < begin) to = min(to, begin);
    const uint from = i + 32u * own();
    uint starts = 0u;
    if (from < to) starts = marks_of_part(t, from, min(from + 32u, to)).x;
    const VkpGroupScan characters = vkp_scan_workgroup(uvec2(bitCount(starts), 0u));
    uint chosen = 0u;
    if (from < to) chosen = chosen_bits(s, starts, min(to - from, 32u), before + characters.before.x);
    const VkpGroupScan scan = vkp_scan_workgroup(uvec2(bitCount(chosen), 0u));
    const uint at = bytes + scan.before.x;
    if (chosen != 0u && i >= begin) {
      uint word[8];
      load_part(t, from, word);
      const bool single = starts == bits_before(from, to) && (from + 32u >= t.bytes || to - from < 32u ||
                                                              vkp_is_start(vkp_text_byte(t, from + 32u)));
      if (!is_backward()) {
        store_bytes(word, chosen, vkp_add64(position, at), false);
      } else if (single && to - from >= 32u) {
        store_bytes(word, chosen, vkp_add64(position, total - at - bitCount(chosen)), true);
      } else {
        // Bytes of a character that began before are its part's.
        const uint own_starts = starts & chosen;
        const uint ahead = own_starts == 0u ? 0u : bitCount(chosen & (own_starts & 0u - own_starts) - 1u);
        store_characters(t, from, starts, chosen, vkp_add64(position, total - at - ahead));
      }
    }
    before += characters.total.x;
    bytes += scan.total.x;
  }
}

void main() { store_long_rows(); }

// Marks of the bytes of long texts (team_sums.glsl), of two kinds, and which byte has the n-th of them. By the whole workgroup.
//
// Needs
//   uvec2 marks_of_part(VkpText t, uint begin, uint end)   of up to 32 bytes of a text, bit i for byte begin + i: of both kinds.
//                                                          By one invocation; see sum_of_part() and bytes_behind()
#ifndef STRINGS_TEAM_MARKS_GLSL
#define STRINGS_TEAM_MARKS_GLSL

#include "strings/team_sums.glsl"
#include "vkprims/bytes.glsl"

uvec2 marks_of_part(VkpText t, uint begin, uint end);

uvec2 sum_of_part(VkpText t, uint begin, uint end) { return uvec2(bitCount(marks_of_part(t, begin, end))); }

// The 32 bytes of a text from byte `begin` on, which is one of its bytes; what is behind the end is anything.
void load_part(VkpText t, uint begin, out uint word[8]) {
  const uvec2 at = vkp_add64(t.at, begin);
  const uint ahead = at.x & 3u;
  const uint end = ahead + (t.bytes - begin);
  VkpWords base = VkpWords(uvec2(at.x - ahead, at.y));
  uint w[9];
  [[unroll]] for (uint k = 0u; k < 9u; ++k) {
    w[k] = 0u;
    if (4u * k < end) w[k] = base.v[k];
  }
  [[unroll]] for (uint k = 0u; k < 8u; ++k) word[k] = vkp_word_down(w[k], w[k + 1u], 8u * ahead);
}

// Bits of the bytes before `end`.
uint bits_before(uint begin, uint end) { return end - begin >= 32u ? ~0u : ~(~0u << (end - begin)); }

uint starts_of_part(uint word[8]) {
  uint bits = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) bits |= vkp_bits_of_bytes(vkp_starts_of_word(word[k])) << (4u * k);
  return bits;
}
uint whitespace_of_part(uint word[8]) {
  uint bits = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) bits |= vkp_bits_of_bytes(vkp_whitespace_of_word(word[k])) << (4u * k);
  return bits;
}

#ifdef SEARCHES_MARKS

// Of the first or the second kind.
uint of_kind(uvec2 x, uint kind) { return kind == 0u ? x.x : x.y; }

shared uint found_mark;

// Where mark number `n` of a row of a is, from byte `begin` on and from 0 on; the end of the row if there are not so many, and
// `passed` of them. With blocks only those bytes are looked at that lie before the first one, or in that which has the mark,
// or behind the last one. With barriers. (In one loop, as compilers copy what is called twice.)
uint nth_of_row(VkpText t, uint begin, uint n, uint kind, out uint passed) {
  const Blocks x = blocks_of(t, begin, t.bytes, bytes_behind());
  bool in_head = x.count != 0u;
  uint to = in_head ? x.begin : t.bytes;
  uint place = t.bytes;
  passed = 0u;
  for (uint i = begin; i < t.bytes && place == t.bytes; i += 32u * gl_WorkGroupSize.x) {
    if (i >= to && in_head) {
      const uint none = of_kind(sum_before_block(x.first), kind);
      uint k = 0u;  // blocks before which there are no more than n
      for (uint step = VKP_STRINGS_MOST_BLOCKS; step != 0u; step /= 2u) {
        const uint next = min(k + step, x.count);
        if (passed + (of_kind(sum_before_block(x.first + next), kind) - none) <= n) k = next;
      }
      passed += of_kind(sum_before_block(x.first + k), kind) - none;
      i = x.begin + (k << arguments().v.block_shift);
      in_head = false;
      to = t.bytes;
    }
    const uint from = i + 32u * own();
    uint marks = 0u;
    if (from < to) marks = of_kind(marks_of_part(t, from, min(from + 32u, to)), kind);
    const VkpGroupScan scan = vkp_scan_workgroup(uvec2(bitCount(marks), 0u));
    const uint first = passed + scan.before.x;
    passed += scan.total.x;
    if (passed <= n) continue;
    if (n >= first && n - first < bitCount(marks)) {
      for (uint left = n - first; left != 0u; --left) marks &= marks - 1u;
      atomicStore(found_mark, from + uint(findLSB(marks)), gl_ScopeWorkgroup, 0, 0);
    }
    barrier();
    place = atomicLoad(found_mark, gl_ScopeWorkgroup, 0, 0);
    barrier();
  }
  return place;
}

#endif

#endif

// Answers what numbers.comp, contains.comp and matches.comp ask, for long rows, with a workgroup
// for each row: see long_rows.glsl. Texts that overlap themselves are counted by chains.
// %VARIANT% OF sums|chains
// %UNROLL% driver
// %INLINE% vkp_shuffle
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef VKP_OF_chains
#include "strings/chain_sums.glsl"
#else
#include "strings/long_sums.glsl"
#endif
#include "strings/numbers/number_marks.glsl"

#ifndef VKP_OF_chains
layout(buffer_reference, std430, buffer_reference_align = 4) buffer SharedBits {
  nonprivate uint v;
};

// These are the numbers of the first character that is searched and of the one behind the last.
// Where all are searched, they are 0 and a number that no row has.
uint start_of_search() { return uint(vkp_arguments().v.start); }
uint stop_of_search() {
  return vkp_arguments().v.stop < 0 ? VKP_NPOS : uint(vkp_arguments().v.stop);
}

// Returns the number of the character in which the text begins, or -1.
uint place_of_text(VkpText t, LongRow x, VkpText what) {
  const uint length = sum_of_units(x, x.units).y;
  if (start_of_search() > length) return ~0u;
  if (what.bytes == 0u) {
    return operation == VKP_STRINGS_FIND ? start_of_search() : min(stop_of_search(), length);
  }
  // First the bytes that are searched are found, by their characters, and the marks before each end
  // of them; then the mark that is wanted, and the characters before it. This is one loop, as
  // compilers copy what is called twice.
  uint begin = 0u;
  uint marks = 0u;  // before `begin`
  uint n = start_of_search();
  [[dont_unroll]] for (uint i = 0u; i < 3u; ++i) {
    const uint place = nth_of_row(t, x, n, i == 2u ? 0u : 1u);
    if (i == 1u && place - min(place, begin) < what.bytes) break;
    const uvec2 sum = sum_before(t, x,
                                 i == 0u   ? place
                                 : i == 1u ? place - what.bytes + 1u
                                           : place + 1u);
    if (i == 2u) return sum.y - 1u;
    if (i == 1u && sum.x == marks) break;
    n = i == 0u ? stop_of_search() : operation == VKP_STRINGS_FIND ? marks : sum.x - 1u;
    begin = place;
    marks = sum.x;
  }
  return ~0u;
}

void store_predicate(uint row, VkpText t, LongRow x, VkpText what) {
  const uint marks = sum_of_units(x, x.units).x;
  const bool holds =
      compares() ? what.bytes <= t.bytes && marks == 0u : what.bytes == 0u || marks != 0u;
  if (!holds || gl_LocalInvocationIndex != 0u) return;
  const uvec2 word = vkp_add64(vkp_u64(vkp_push.out_offsets), 4u * (row / 32u));
  atomicOr(SharedBits(word).v, 1u << (row & 31u), gl_ScopeQueueFamily, 0, 0);
}

#endif

void store_number(uint row, VkpText t, LongRow x, VkpText what) {
#ifdef VKP_OF_chains
  uint number = taken_of(chain_before(x, x.units));
#else
  const uvec2 sum = sum_of_units(x, x.units);
  uint number = operation == VKP_STRINGS_COUNT_CHARACTERS ? sum.y : sum.x;
  if (finds()) number = place_of_text(t, x, what);
#endif
  if (operation == VKP_STRINGS_COUNT_TOKENS && what.bytes != 0u) ++number;  // for the last token
  if (gl_LocalInvocationIndex == 0u) {
    VkpWords(vkp_add64(vkp_u64(vkp_push.out_offsets), vkp_mul64(row, 4u))).v[0] = number;
  }
}

void main() {
  const uint units = unit_count();
  for (uint u = gl_WorkGroupID.x; u < units; u += gl_NumWorkGroups.x) {
    const LongUnit x = unit_at(u);
    if (x.row == NO_ROW || x.begin != 0u || of_column() && !vkp_valid(vkp_push.b, x.row)) continue;
    marked_row = x.row;
    const VkpText what = text_for(x.row);
#ifndef VKP_OF_chains
    if (is_predicate()) {
      store_predicate(x.row, x.text, x.of, what);
      continue;
    }
#endif
    store_number(x.row, x.text, x.of, what);
  }
}

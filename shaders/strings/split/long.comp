// Tokens of long rows, ahead of split.comp and split/short.comp: see long_cuts.glsl. Delimiters
// that overlap themselves are told apart by chains.
// %VARIANT% OF sums|chains
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef VKP_OF_chains
#include "strings/chain_sums.glsl"
#else
#include "strings/long_sums.glsl"
#endif
#include "strings/long_cuts.glsl"
#include "strings/split/token_marks.glsl"

uint wanted_token() { return uint(vkp_arguments().v.start); }
bool wants_rest() { return (vkp_arguments().v.flags & VKP_STRINGS_REST) != 0u; }

#ifdef VKP_OF_chains

shared uint found_mark;

// Returns the byte with which delimiter number `n`, of those that are taken, begins; the end of the
// row if there are fewer. The whole workgroup calls it.
uint nth_taken(VkpText t, LongRow x, uint n) {
  uint k = 0u;  // units before which no more than n are taken
  RowChain passed = vkp_identity();
  for (uint step = 1u << findMSB(x.units); step != 0u; step /= 2u) {
    if (k + step > x.units) continue;
    const RowChain before = chain_before(x, k + step);
    if (taken_of(before) > n) continue;
    k += step;
    passed = before;
  }
  if (k == x.units) return t.bytes;
  const uint end = min(k + 1u << unit_shift(), t.bytes);
  for (uint i = k << unit_shift(); i < end && taken_of(passed) <= n;
       i += 32u * gl_WorkGroupSize.x) {
    const uint from = min(i + 32u * own(), end);
    uint marks = marks_of_part(t, from, min(from + 32u, end)).x;
    const RowChain part = chain_of_marks(marks, from);
    const VkpGroupScan scan = vkp_scan_workgroup(part);
    // The invocation in whose part the delimiter is stores its place.
    RowChain before = vkp_combine(passed, scan.before);
    if (taken_of(before) <= n && taken_of(vkp_combine(before, part)) > n) {
      uint place;
      do {
        place = from + uint(findLSB(marks));
        before = with_occurrence(before, place);
        marks &= marks - 1u;
      } while (taken_of(before) <= n);
      atomicStore(found_mark, place, gl_ScopeWorkgroup, 0, 0);
    }
    passed = vkp_combine(passed, scan.total);
  }
  barrier();
  const uint place = atomicLoad(found_mark, gl_ScopeWorkgroup, 0, 0);
  barrier();
  return place;
}

#endif

// A word is found by its beginning and the first whitespace behind it; another token by the
// delimiter before it and the next one.
bool cut_long(uint row, LongRow x, inout VkpText t) {
  const bool words = by_whitespace != 0u;
  const bool from_begin = !words && wanted_token() == 0u;
  uint begin = 0u;
  uint end = t.bytes;
  [[dont_unroll]] for (uint i = from_begin ? 1u : 0u; i < (wants_rest() ? 1u : 2u); ++i) {
    uint n = words ? wanted_token() : wanted_token() + i - 1u;
#ifdef VKP_OF_chains
    const uint place = nth_taken(t, x, n);
#else
    if (words && i == 1u) n = sum_before(t, x, begin).y;
    const uint place = nth_of_row(t, x, n, uint(words) & i);
#endif
    if (i == 1u) end = place;
    if (i == 0u && place == t.bytes) return false;
    if (i == 0u) begin = words ? place : place + vkp_scalar_text().bytes;
  }
  t = vkp_substr(t, begin, end - begin);
  return true;
}

void main() { leave_cuts(); }

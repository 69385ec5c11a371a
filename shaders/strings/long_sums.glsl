// This is what is known of long rows from the sums of their units (long_rows.glsl): two numbers,
// each of which says how many of the bytes before are marked, or anything else that adds up. Whole
// workgroups ask for it, and look at one unit at most.
//
// Unless sums alone are asked for (ONLY_SUMS), the includer defines:
// - uvec2 marks_of_part(VkpText t, uint begin, uint end): returns marks of both kinds. Bit i says
//   whether byte begin + i is marked, for the bytes before byte `end`, which are 32 at most and
//   maybe none. Whole subgroups call it.
#ifndef STRINGS_LONG_SUMS_GLSL
#define STRINGS_LONG_SUMS_GLSL

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(const uvec2 left, const uvec2 right) { return left + right; }

#include "strings/long_rows.glsl"
#include "vkprims/workgroup/workgroup.glsl"

uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
uvec2 fold_of_team(uvec2 sum) { return vkp_fold_subgroups(vkp_subgroup_fold(sum)); }

uvec2 sum_before_unit(uint u) { return VkpWords2(sums_address()).v[u]; }
// Returns the sum of the units of a row before its unit `k`.
uvec2 sum_of_units(const LongRow x, const uint k) {
  return sum_before_unit(x.first + k) - sum_before_unit(x.first);
}

#ifndef ONLY_SUMS

uvec2 marks_of_part(const VkpText t, const uint begin, const uint end);

// Returns the sum of all bytes before byte `end`. It has barriers.
uvec2 sum_before(VkpText t, LongRow x, uint end) {
  const uint k = end >> unit_shift();
  uvec2 sum = uvec2(0u);
  for (uint i = k << unit_shift(); i < end; i += 32u * gl_WorkGroupSize.x) {
    const uint from = min(i + 32u * own(), end);
    sum += uvec2(bitCount(marks_of_part(t, from, min(from + 32u, end))));
  }
  return sum_of_units(x, k) + fold_of_team(sum);
}

shared uint found_mark;

// Returns the byte that has mark number `n`, counted from 0; the end of the row if there are
// fewer marks. It has barriers.
uint nth_of_row(VkpText t, LongRow x, uint n, uint kind) {
  if (sum_of_units(x, x.units)[kind] <= n) return t.bytes;
  uint k = 0u;  // units before which there are no more than n marks
  for (uint step = 1u << findMSB(x.units); step != 0u; step /= 2u) {
    if (k + step < x.units && sum_of_units(x, k + step)[kind] <= n) k += step;
  }
  const uint end = min(k + 1u << unit_shift(), t.bytes);
  uint passed = sum_of_units(x, k)[kind];
  for (uint i = k << unit_shift(); i < end && passed <= n; i += 32u * gl_WorkGroupSize.x) {
    const uint from = min(i + 32u * own(), end);
    uint marks = marks_of_part(t, from, min(from + 32u, end))[kind];
    const VkpGroupScan scan = vkp_scan_workgroup(uvec2(bitCount(marks), 0u));
    const uint first = passed + scan.before.x;
    if (n >= first && n - first < bitCount(marks)) {
      for (uint left = n - first; left != 0u; --left) marks &= marks - 1u;
      atomicStore(found_mark, from + uint(findLSB(marks)), gl_ScopeWorkgroup, 0, 0);
    }
    passed += scan.total.x;
  }
  barrier();
  const uint place = atomicLoad(found_mark, gl_ScopeWorkgroup, 0, 0);
  barrier();
  return place;
}

#endif

#endif

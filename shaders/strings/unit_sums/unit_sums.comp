// Finds what the bytes of all units before each unit of long rows add up to: see long_rows.glsl. A
// workgroup takes some units, one after the other; the workgroup that comes last adds up.
// %VARIANT% SUM growth|characters|tokens|strip|numbers|steps|token_chains|number_chains
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require

#if defined(VKP_SUM_token_chains) || defined(VKP_SUM_number_chains)
#define OF_CHAINS
#include "strings/chain_sums.glsl"
#else
#define ONLY_SUMS
#define VKP_FOLDS_AT_ONCE 8
#include "strings/long_sums.glsl"
#endif
#include "vkprims/device/scan_folds.glsl"

#ifdef VKP_SUM_growth
#include "strings/change_case/case_growth.glsl"
#else
#if defined(VKP_SUM_tokens) || defined(VKP_SUM_token_chains)
#include "strings/split/token_marks.glsl"
#elif defined(VKP_SUM_strip)
#include "strings/strip/marks.glsl"
#elif defined(VKP_SUM_numbers) || defined(VKP_SUM_number_chains)
#include "strings/numbers/number_marks.glsl"
#else
#include "strings/character_marks.glsl"
#endif
#ifndef OF_CHAINS
uvec2 sum_of_part(VkpText t, uint begin, uint end) {
  return uvec2(bitCount(marks_of_part(t, begin, end)));
}
#endif
#endif

// The sums of steps come after those of characters, and lie where results are.
#ifdef VKP_SUM_steps
#include "strings/slice/step_parts.glsl"
uvec2 sums() { return results_address(); }
const uint ARRIVALS = 2;
#else
uvec2 sums() { return sums_address(); }
const uint ARRIVALS = 1;
#endif

#ifdef OF_CHAINS
RowChain sum_of_unit(LongUnit x) {
  RowChain sum = vkp_identity();
  for (uint i = x.begin; i < x.end; i += 32u * gl_WorkGroupSize.x) {
    const uint from = min(i + 32u * own(), x.end);
    sum = vkp_combine(sum, fold_of_team(chain_of_marks(
                               marks_of_part(x.text, from, min(from + 32u, x.end)).x, from)));
  }
  sum.begins_row = x.begin == 0u;
  return sum;
}
#else
uvec2 sum_of_unit(LongUnit x) {
#ifdef VKP_SUM_steps
  const Steps s = steps_of_row(x.of);
  if (is_single(x.text, x.of)) return uvec2(steps_before(s, x.end) - steps_before(s, x.begin), 0u);
  uint before = characters_before(x);
#endif
  uvec2 sum = uvec2(0u);
  for (uint i = x.begin; i < x.end; i += 32u * gl_WorkGroupSize.x) {
    const uint from = min(i + 32u * own(), x.end);
    const uint to = min(from + 32u, x.end);
#ifdef VKP_SUM_steps
    sum.x += bitCount(step_part(s, x.text, from, to, before).chosen);
#else
    sum += sum_of_part(x.text, from, to);
#endif
  }
  return fold_of_team(sum);
}
#endif

void main() {
  const uint units = unit_count();
  if (units == 0u) return;
  for (uint u = gl_WorkGroupID.x; u < units; u += gl_NumWorkGroups.x) {
    const LongUnit x = unit_at(u);
    VKP_T sum = vkp_identity();
#if defined(VKP_SUM_numbers) || defined(VKP_SUM_number_chains)
    marked_row = x.row;
#endif
    if (x.row != NO_ROW) sum = sum_of_unit(x);
    if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(sums(), u, sum);
  }
  if (!vkp_last_group(vkp_add64(long_header(), 4u * ARRIVALS), gl_NumWorkGroups.x)) return;
  const VKP_T total = vkp_scan_folds(sums(), units, vkp_identity());
  if (gl_LocalInvocationIndex == 0u) vkp_store_element(sums(), units, total);
}

// What neighbours in a sequence leave to those behind them: how many runs begin among them, and
// the fold of the elements from the last of these beginnings on, or of all of them. This file makes
// it a monoid, and includes once more, for that monoid, the files below that depend on the type:
// functions of elements keep their names, and overloads take a VkpRuns.
//
// combine(a, b) = {a.heads + b.heads, b.heads != 0 ? b.value : a.value (+) b.value} is associative,
// for any associative (+).
//
// Include this behind reduce_runs.glsl and everything else that is about elements. From here on
// VKP_T is VkpRuns.
#ifndef VKPRIMS_RUNS_GLSL
#define VKPRIMS_RUNS_GLSL

#include "vkprims/device/segmented_scan.h"
#include "vkprims/workgroup/workgroup.glsl"

struct VkpRuns {
  uvec2 heads;  // a 64-bit number
  VKP_T value;
};

void vkp_pack(VkpRuns x, out uint w[VKP_WORDS + 2]) {
  uint value[VKP_WORDS];
  vkp_pack(x.value, value);
  w[0] = x.heads.x;
  w[1] = x.heads.y;
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i + 2u] = value[i];
}

VkpRuns vkp_unpack(uint w[VKP_WORDS + 2]) {
  uint value[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) value[i] = w[i + 2u];
  return VkpRuns(uvec2(w[0], w[1]), vkp_unpack(value));
}

VkpRuns vkp_runs_identity() { return VkpRuns(uvec2(0u), vkp_identity()); }

VkpRuns vkp_combine(const VkpRuns left, const VkpRuns right) {
  const bool closed = right.heads != uvec2(0u);
  return VkpRuns(vkp_add64(left.heads, right.heads),
                 closed ? right.value : vkp_combine(left.value, right.value));
}

#if VKP_WORDS == 1
#define VKP_RUNS_WORDS 3
#elif VKP_WORDS == 2
#define VKP_RUNS_WORDS 4
#elif VKP_WORDS == 3
#define VKP_RUNS_WORDS 5
#elif VKP_WORDS == 4
#define VKP_RUNS_WORDS 6
#elif VKP_WORDS == 5
#define VKP_RUNS_WORDS 7
#elif VKP_WORDS == 6
#define VKP_RUNS_WORDS 8
#elif VKP_WORDS == 7
#define VKP_RUNS_WORDS 9
#elif VKP_WORDS == 8
#define VKP_RUNS_WORDS 10
#else
#error "runs.glsl: elements of 1 to 8 words"
#endif
#undef VKP_T
#undef VKP_WORDS
#define VKP_T VkpRuns
#define VKP_WORDS VKP_RUNS_WORDS

// lookback.glsl need not publish the upper half of a number of runs if it is always 0.
#define VKP_WORD_IS_ZERO(word) ((word) == 1u && (vkp_runs_spec & VKP_RUNS_NARROW) != 0u)

// What overloads cannot tell apart gets another name.
#define vkp_identity vkp_runs_identity
#define vkp_load_element vkp_load_runs
#define vkp_load_shared_element vkp_load_shared_runs
#define vkp_read_value vkp_read_runs
#define vkp_partials vkp_partial_runs
#define vkp_load_partial vkp_load_partial_runs
#define VkpGroupScan VkpRunsScan
#undef VKPRIMS_ELEMENTS_GLSL
#undef VKPRIMS_SUBGROUP_GLSL
#undef VKPRIMS_WORKGROUP_GLSL
#include "vkprims/memory/elements.glsl"
#include "vkprims/workgroup/workgroup.glsl"

#endif

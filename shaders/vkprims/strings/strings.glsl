// What kernels of strings share: push constants (vkp_push) with their columns, and arguments.
#ifndef VKPRIMS_STRINGS_STRINGS_GLSL
#define VKPRIMS_STRINGS_STRINGS_GLSL

#include "vkprims/strings/strings.abi.h"

// With 64-bit integers the kernels of strings are 3 to 9 % faster (H200). Those that are slower, by
// 7 to 18 %, define VKP_SUMS_BY_HALVES.

#if defined(VKP_STATE_word64) && !defined(VKP_SUMS_BY_HALVES)
#define VKP_HAS_INT64
#endif
#include "vkprims/core.glsl"

#ifndef VKP_NO_NULLS  // else vkprims/strings/rows.glsl was included before, and nothing is known
layout(constant_id = VKP_STRINGS_SPEC_PLAIN) const uint vkp_plain_columns = 0;
#define VKP_NARROW_COLUMNS ((vkp_plain_columns & VKP_STRINGS_NARROW) != 0u)
#define VKP_NO_LONG_ROWS ((vkp_plain_columns & VKP_STRINGS_SHORT_ROWS) != 0u)
#define VKP_NO_NULLS ((vkp_plain_columns & VKP_STRINGS_NO_NULLS) != 0u)
#endif
#ifndef VKP_NO_LONG_ROWS
#define VKP_NO_LONG_ROWS false
#endif
#include "vkprims/strings/rows.glsl"

layout(push_constant) uniform VkpStringsBlock { VkpStringsPush vkp_push; };

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer VkpStringsArgumentsAt {
  VkpStringsArguments v;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer VkpStringsTable {
  VkpStrings v[];
};

VkpStringsArgumentsAt vkp_arguments() { return VkpStringsArgumentsAt(vkp_u64(vkp_push.scratch)); }

// The scalar of an operation, and its second scalar.
VkpText vkp_scalar_text() {
  return VkpText(vkp_add64(vkp_u64(vkp_push.scratch), VKP_STRINGS_TEXT_OFFSET),
                 vkp_arguments().v.text_bytes);
}
VkpText vkp_second_text() {
  const VkpText first = vkp_scalar_text();
  return VkpText(vkp_add64(first.at, (first.bytes + 3u) / 4u * 4u), vkp_arguments().v.more_bytes);
}

#endif

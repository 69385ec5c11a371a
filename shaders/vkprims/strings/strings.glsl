// What the kernels of strings/ share: columns and arguments.
#ifndef STRINGS_STRINGS_GLSL
#define STRINGS_STRINGS_GLSL

#include "vkprims/strings/strings.abi.h"

// With 64-bit integers the kernels of strings are 3 to 9 % faster (H200). Those that are slower, by
// 7 to 18 %, define SUMS_BY_HALVES.

#if defined(VKP_STATE_word64) && !defined(SUMS_BY_HALVES)
#define VKP_HAS_INT64
#endif
#include "vkprims/core.glsl"

#ifndef VKP_NO_NULLS  // else vkprims/strings/rows.glsl was included before, and nothing is known
layout(constant_id = VKP_STRINGS_SPEC_PLAIN) const uint plain_columns = 0;
#define VKP_NARROW_COLUMNS ((plain_columns & VKP_STRINGS_NARROW) != 0u)
#define VKP_NO_LONG_ROWS ((plain_columns & VKP_STRINGS_SHORT_ROWS) != 0u)
#define VKP_NO_NULLS ((plain_columns & VKP_STRINGS_NO_NULLS) != 0u)
#endif
#ifndef VKP_NO_LONG_ROWS
#define VKP_NO_LONG_ROWS false
#endif
#include "vkprims/strings/rows.glsl"

layout(push_constant) uniform Push { StringsPush push; };

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer StringsArgumentsAt {
  StringsArguments v;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer StringsTable { VkpStrings v[]; };

StringsArgumentsAt arguments() { return StringsArgumentsAt(vkp_u64(push.scratch)); }

// The scalar of an operation, and its second scalar.
VkpText scalar_text() {
  return VkpText(vkp_add64(vkp_u64(push.scratch), VKP_STRINGS_TEXT_OFFSET), arguments().v.text_bytes);
}
VkpText second_text() {
  const VkpText first = scalar_text();
  return VkpText(vkp_add64(first.at, (first.bytes + 3u) / 4u * 4u), arguments().v.more_bytes);
}

#endif

// Views into bytes: an offset, of 32 or 64 bits, and a length.
#ifndef STRINGS_VIEWS_GLSL
#define STRINGS_VIEWS_GLSL

#include "vkprims/strings/rows.glsl"

// Gives view number `i` of the offsets of `column` and of `lengths`, an address, cut to the bytes
// that there are; returns false if it is null.
bool view_at(VkpStrings column, uvec2 lengths, uint i, uint null_length, out VkpText text) {
  const uint length = VkpWords(vkp_add64(lengths, vkp_mul64(i, 4u))).v[0];
  const uvec2 offsets = vkp_u64(column.offsets);
  uvec2 first;
  if (!VKP_NARROW_COLUMNS && column.wide != 0u) {
    first = VkpWords2(vkp_add64(offsets, vkp_mul64(i, 8u))).v[0];
  } else {
    first = uvec2(VkpWords(vkp_add64(offsets, vkp_mul64(i, 4u))).v[0], 0u);
  }
  const uint left = vkp_clamped_difference(vkp_u64(column.bytes), first, 0x7fffffffu);
  text = VkpText(vkp_add64(vkp_u64(column.chars), first),
                 length == null_length ? 0u : min(length, left));
  return length != null_length;
}

#endif

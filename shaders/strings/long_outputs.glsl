// Long rows of a result, behind the kernel that has left their bytes out; there is a workgroup for
// each unit.
#ifndef STRINGS_LONG_OUTPUTS_GLSL
#define STRINGS_LONG_OUTPUTS_GLSL

#include "strings/direct_words.glsl"
#include "strings/long_rows.glsl"

// Returns the byte of the result with which row `row` begins.
uvec2 offset_of(uint row) {
  const uvec2 offsets = vkp_u64(vkp_push.out_offsets);
  if ((vkp_push.format & VKP_STRINGS_WIDE) != 0u) {
    return VkpWords2(vkp_add64(offsets, vkp_mul64(row, 8u))).v[0];
  }
  return uvec2(VkpWords(vkp_add64(offsets, vkp_mul64(row, 4u))).v[0], 0u);
}

// The includer defines it to store what becomes of a unit of a row that begins at `position`. The
// whole workgroup calls it.
void store_unit(LongUnit x, uvec2 position);

void store_long_rows() {
  const uint units = unit_count();
  for (uint u = gl_WorkGroupID.x; u < units; u += gl_NumWorkGroups.x) {
    const LongUnit x = unit_at(u);
    if (x.row != NO_ROW) store_unit(x, offset_of(x.row));
  }
}

#endif

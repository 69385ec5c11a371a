// Says whether rows contain, begin with or end with a text: a scalar, or the row of another column.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/map.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint operation = 0;

bool matches(VkpText t, VkpText what) {
  const uint question = operation & 3u;
  if (question == VKP_STRINGS_CONTAINS) return vkp_find(t, what, 0u) != VKP_NPOS;
  if (question == VKP_STRINGS_STARTS_WITH) return vkp_starts_with(t, what);
  return vkp_ends_with(t, what);
}

void main() {
  vkp_begin_bits();
  [[dont_unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_row_in_tile(r);
    const uint row = vkp_group_index() * VKP_BITS_ROWS + i;
    if (row < vkp_push.rows && vkp_valid(vkp_push.a, row)) {
      vkp_set_valid(i);
      // For a null target nothing is true.
      const bool of_column = (operation & VKP_STRINGS_OF_COLUMN) != 0u;
      VkpText what = vkp_no_text();
      if (of_column) {
        what = vkp_row_text(vkp_push.b, row);
      } else {
        what = vkp_scalar_text();
      }
      const bool there = !of_column || vkp_valid(vkp_push.b, row);
      const VkpText t = vkp_row_text(vkp_push.a, row);
      // Searches in long rows are left to numbers/long.comp, and so are comparisons of many bytes.
      const bool compares = (operation & 3u) != VKP_STRINGS_CONTAINS;
      const bool is_short = compares && (what.bytes < VKP_STRINGS_LONG || what.bytes > t.bytes);
      if (there && (is_short || !is_left(row, t)) && matches(t, what)) vkp_set_bit(i);
    }
  }
  vkp_end_bits(vkp_u64(vkp_push.out_offsets), false);
}

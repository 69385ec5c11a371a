// Writes the keys that the rows are sorted by next: a column, in the order that the rows have so
// far. All rows that are null get the same key.
// %VARIANT% VALUE word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/column.glsl"

layout(push_constant) uniform Push { GroupByColumnPush push; };

void main() {
  const uint rows = vkp_read_count(push.rows).x;
  const uint begin = vkp_group_index() * VKP_GROUP_BY_TILE + gl_LocalInvocationIndex;
  // The loads of all rows are in flight together.
  uint row[VKP_GROUP_BY_ROWS];
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    row[k] = begin + k * VKP_GROUP_BY_WORKGROUP;
    if (ordered && row[k] < rows) row[k] = load_word(vkp_u64(push.order), row[k]);
  }
  BITS bits[VKP_GROUP_BY_ROWS];
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    bits[k] = NO_BITS;
    if (begin + k * VKP_GROUP_BY_WORKGROUP < rows) {
      bits[k] = load_bits(vkp_u64(push.column), row[k]);
    }
  }
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    const uint i = begin + k * VKP_GROUP_BY_WORKGROUP;
    if (i >= rows) continue;
    if (nullable && !is_valid(vkp_u64(push.validity), row[k])) bits[k] = NO_BITS;
    store_bits(vkp_u64(push.result), i, bits[k]);
  }
}

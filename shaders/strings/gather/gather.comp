// Rows of a column by their numbers; null where there is no such row, and behind the last number.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#define VKP_SUMS_BY_HALVES
#include "vkprims/strings/strings.glsl"

#define VKP_MOST_PIECES 1u
#define VKP_PIECES_OF_A

#define VKP_STRING_ROW Row
struct Row {
  VkpText text;
};

uint count;  // how many numbers there are

// There are no branches, so that what several rows load is on its way together.
bool vkp_evaluate(uint row, out Row x) {
  const uint rows = uint(vkp_arguments().v.stop);
  const uint i = VkpWords(vkp_add64(vkp_u64(vkp_arguments().v.indices), vkp_mul64(row, 4u))).v[0];
  const bool exists = row < count && i < rows;
  VkpStrings column = vkp_push.a;
  if (rows == 0u) {
    column.offsets = vkp_push.scratch;  // whatever stands there: the column has no bytes
    column.validity = VkpU64(0u, 0u);
  }
  x.text = vkp_row_text(column, exists ? i : 0u);
  const bool valid = vkp_valid(column, exists ? i : 0u);
  return exists && valid;
}

VkpText vkp_piece(const Row x, const uint row, const uint k) { return x.text; }

#include "vkprims/strings/pieces.glsl"

void main() {
  count = vkp_read_count(vkp_arguments().v.count).x;
  vkp_rope();
}

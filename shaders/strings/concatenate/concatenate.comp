// The rows of several columns behind each other, with a separator between them.
//
// With up to two columns all is known of a row at once. Otherwise the number of columns is no
// constant, and a piece is asked for again where it is needed.
// %VARIANT% COLUMNS two|many
// %VARIANT% STATE word32|word64
// %UNROLL% driver
// %INLINE% vkp_shuffle|vkp_scan_workgroup
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"

#include "strings/concatenate/joined.glsl"

#ifdef VKP_COLUMNS_many

#define VKP_EVALUATES_BY_PIECES
#define VKP_PIECES_ELSEWHERE
#define VKP_MOST_PIECES (2u * vkp_arguments().v.columns - 1u)

#define VKP_STRING_ROW Row
struct Row {
  uint unused;
};

VkpStrings column_of(uint i) {
  if (i == 0u) return vkp_push.a;
  if (i == 1u) return vkp_push.b;
  return VkpStringsTable(vkp_u64(vkp_arguments().v.table)).v[i];
}

bool vkp_evaluate(uint row, out Row x) {
  x.unused = 0u;
  if (replaces_nulls()) return true;
  bool valid = true;
  const uint columns = vkp_arguments().v.columns;
  for (uint i = 0u; i < columns; ++i) valid = valid && vkp_valid(column_of(i), row);
  return valid;
}

// Where nulls have no separators, there is one before each row that is not null, except the first
// of these.
bool has_separator(uint row, uint column) {
  if (keeps_separators()) return true;
  if (!vkp_valid(column_of(column), row)) return false;
  bool any = false;
  for (uint i = 0u; i < column; ++i) any = any || vkp_valid(column_of(i), row);
  return any;
}

VkpText vkp_piece(const Row x, const uint row, const uint k) {
  if (k % 2u == 1u) {
    if (has_separator(row, k / 2u + 1u)) return separator;
    return vkp_no_text();
  }
  const VkpStrings column = column_of(k / 2u);
  if (!vkp_valid(column, row)) return replacement;
  return vkp_row_text(column, row);
}

#endif

#include "vkprims/strings/pieces.glsl"

void main() {
  load_texts();
  vkp_rope();
}

// The rows of several columns behind each other, with a separator between.
//
// How many columns there are is no constant: a piece is asked for again where it is needed.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

const uint REPLACES_NULLS = VKP_STRINGS_REPLACES_NULLS;
const uint NO_SEPARATOR_AT_NULLS = VKP_STRINGS_NO_SEPARATOR_AT_NULLS;

#define EVALUATES_BY_PIECES
#define MOST_PIECES (2u * arguments().v.columns - 1u)

struct Row {
  uint unused;
};

VkpStrings column_of(uint i) { return StringsTable(vkp_u64(arguments().v.table)).v[i]; }

bool evaluate(uint row, out Row x) {
  x.unused = 0u;
  if ((arguments().v.flags & REPLACES_NULLS) != 0u) return true;
  bool valid = true;
  const uint columns = arguments().v.columns;
  for (uint i = 0u; i < columns; ++i) valid = valid && vkp_valid(column_of(i), row);
  return valid;
}

// Where nulls have no separators there is one before each row that is not null but the first of these.
bool has_separator(uint row, uint column) {
  if ((arguments().v.flags & NO_SEPARATOR_AT_NULLS) == 0u) return true;
  if (!vkp_valid(column_of(column), row)) return false;
  bool any = false;
  for (uint i = 0u; i < column; ++i) any = any || vkp_valid(column_of(i), row);
  return any;
}

VkpText piece(Row x, uint row, uint k) {
  if (k % 2u == 1u) {
    if (has_separator(row, k / 2u + 1u)) return scalar_text();
    return vkp_no_text();
  }
  const VkpStrings column = column_of(k / 2u);
  if (!vkp_valid(column, row)) return second_text();
  return vkp_row_text(column, row);
}

#include "strings/pieces.glsl"

void main() { rope(); }

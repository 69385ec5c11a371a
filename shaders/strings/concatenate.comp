// The rows of several columns behind each other, with a separator between.
//
// Of up to two columns all is known of a row at once; else how many there are is no constant, and a piece is asked for again
// where it is needed.
// %VARIANT% COLUMNS two|many
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

const uint REPLACES_NULLS = VKP_STRINGS_REPLACES_NULLS;
const uint NO_SEPARATOR_AT_NULLS = VKP_STRINGS_NO_SEPARATOR_AT_NULLS;

VkpText separator, replacement;

bool replaces_nulls() { return (arguments().v.flags & REPLACES_NULLS) != 0u; }
bool keeps_separators() { return (arguments().v.flags & NO_SEPARATOR_AT_NULLS) == 0u; }

#ifdef VKP_COLUMNS_two

#define MOST_PIECES 3u

struct Row {
  VkpText first, separator, second;
};

// (Without branches, so that what several rows load is on its way together.)
bool evaluate(uint row, out Row x) {
  const bool two = arguments().v.columns == 2u;
  VkpStrings other = push.b;
  if (!two) other = push.a;
  x = Row(vkp_row_text(push.a, row), vkp_no_text(), vkp_row_text(other, row));
  const bool has_first = vkp_valid(push.a, row);
  const bool has_second = vkp_valid(other, row);
  if (!has_first) x.first = replacement;
  if (!has_second) x.second = replacement;
  if (keeps_separators() || has_first && has_second) x.separator = separator;
  if (!two) x.separator = x.second = vkp_no_text();
  return has_first && has_second || replaces_nulls();
}

VkpText piece(Row x, uint row, uint k) {
  if (k == 1u) return x.separator;
  if (k == 0u) return x.first;
  return x.second;
}

#else

#define EVALUATES_BY_PIECES
#define PIECES_ELSEWHERE
#define MOST_PIECES (2u * arguments().v.columns - 1u)

struct Row {
  uint unused;
};

VkpStrings column_of(uint i) {
  if (i == 0u) return push.a;
  if (i == 1u) return push.b;
  return StringsTable(vkp_u64(arguments().v.table)).v[i];
}

bool evaluate(uint row, out Row x) {
  x.unused = 0u;
  if (replaces_nulls()) return true;
  bool valid = true;
  const uint columns = arguments().v.columns;
  for (uint i = 0u; i < columns; ++i) valid = valid && vkp_valid(column_of(i), row);
  return valid;
}

// Where nulls have no separators there is one before each row that is not null but the first of these.
bool has_separator(uint row, uint column) {
  if (keeps_separators()) return true;
  if (!vkp_valid(column_of(column), row)) return false;
  bool any = false;
  for (uint i = 0u; i < column; ++i) any = any || vkp_valid(column_of(i), row);
  return any;
}

VkpText piece(Row x, uint row, uint k) {
  if (k % 2u == 1u) {
    if (has_separator(row, k / 2u + 1u)) return separator;
    return vkp_no_text();
  }
  const VkpStrings column = column_of(k / 2u);
  if (!vkp_valid(column, row)) return replacement;
  return vkp_row_text(column, row);
}

#endif

#include "strings/pieces.glsl"

void main() {
  separator = scalar_text();
  replacement = second_text();
  rope();
}
